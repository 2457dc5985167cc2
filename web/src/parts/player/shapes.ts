// What the API says of a player; see /api/openapi.json.

import type { Outcome, PlayerLine } from "../../wire";

export interface GameRating {
  game: string;
  rating: number;
  uncertainty: number;
  games: number;
}

export interface PlayerShown {
  line: PlayerLine;
  connected: boolean;
  ratings: GameRating[];
  casual: GameRating[];
}

export interface Met {
  seat: number;
  seat_name: string;
  player: number | null;
  name: string;
  bot: boolean;
  place: number | null;
}

export interface PlayedGame {
  table: number;
  variant: string;
  time: string;
  status: "playing" | "over";
  tour: number | null;
  seat_name: string;
  taken_over: boolean;
  partners: Met[];
  opponents: Met[];
  place: number | null;
  result: string;
  outcome: Outcome | null;
  opened_at: number;
  ended_at: number | null;
}

export interface GamePage {
  games: PlayedGame[];
  next: number | null;
}

export interface Against {
  player: number;
  name: string;
  bot: boolean;
  games: number;
  wins: number;
  draws: number;
  losses: number;
}

export interface Results {
  games: number;
  wins: number;
  draws: number;
  losses: number;
  opponents: Against[];
  more: boolean;
  favourites: { game: string; games: number }[];
}

export interface RatedBy {
  tour: number;
  name: string;
  at: number;
  rating: number;
  uncertainty: number;
  games: number;
}

export interface CasualStep {
  table: number;
  at: number;
  rating: number;
  uncertainty: number;
  games: number;
}

export interface PlayerRatings {
  games: { game: string; history: RatedBy[] }[];
  casual: { game: string; history: CasualStep[] }[];
}
