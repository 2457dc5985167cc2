// The words of the server: what the native dialect and the API say, as far as the page reads it.
// Times are microseconds, seats count from 0. See docs/dialects/native.md and /api/openapi.json.

export interface Outcome {
  places: number[];
  how: string;
  reason: string;
  scores: number[] | null;
}

export interface SeatLine {
  seat: number;
  name: string;
  player: number | null;
  player_name: string;
  connected: boolean;
  bot?: boolean;
}

/** Microseconds that one's seat waits before the game begins: a reload must not lose it. */
export const KEPT = 600e6;

export type Status = "open" | "playing" | "over" | "closed";

export interface TableLine {
  table: number;
  variant: string;
  time: string;
  status: Status;
  seats: SeatLine[];
  n: number;
  outcome: Outcome | null;
  tour: number | null;
}

export interface Policy {
  begin: "full" | "owner";
  gone: string;
  grace: number;
  only: string;
}

/** What happened at a table; the fields of an event of its type. */
export type TableEvent =
  | { type: "opened"; variant: string; seats: number; time: string; policy: Policy; by?: number; room?: string; tour?: number; house?: number }
  | { type: "sat"; seat: number; player: number; name: string }
  | { type: "left"; seat: number; player?: number }
  | { type: "owned"; player: number }
  | { type: "swapped"; one: number; other: number }
  | { type: "started" }
  | { type: "taken_over"; seat: number; player: number; name: string }
  | { type: "played"; seat: number; move: string; spent: number }
  | { type: "erred"; seat: number; code: string }
  | { type: "draw_offered"; seat: number }
  | { type: "draw_declined"; seat: number }
  | { type: "out"; seat: number; why: string; spent: number }
  | { type: "ended"; outcome: Outcome }
  | { type: "closed"; reason?: string }
  | { type: "said"; player: number; name: string; text: string; team: number | null }
  | { type: "rematch_wished"; seat: number }
  | { type: "rematched"; table: number };

/** A board as a viewer may see it, in its game's own words. */
export interface View {
  type: string;
}

export interface Effect {
  type: string;
  [field: string]: unknown;
}

/** A table right after one of its events. */
export interface Moment {
  n: number;
  at: number;
  event: TableEvent;
  effects: Effect[];
  to_act: number[];
  left: number[] | null;
  view: View | null;
}

export interface TableNews extends Moment {
  type: "news";
  table: number;
}

export interface TourNews {
  type: "tour_news";
  tour: number;
  n: number;
  at: number;
  event: { type: string; [field: string]: unknown };
}

export interface Notice {
  type: "notice";
  code: string;
  sentence: string;
  player: number | null;
}

export interface Refused {
  type: "refused";
  code: string;
  sentence: string;
  table: number | null;
}

export interface GameOption {
  name: string;
  kind: string;
  default: unknown;
  description: string;
}

export interface GameLine {
  name: string;
  seats: number[];
  options: GameOption[];
  about: string;
  /** Whether players may agree on a draw. */
  draws: boolean;
  /** Whether some of them are partners. */
  teams: boolean;
}

/** A game that a dialect has words for, and the values of its options that it can say. */
export interface DialectWords {
  game: string;
  options: Record<string, string[]>;
  /** Whether the other options may be set. */
  others: boolean;
}

/** What a dialect declares of its clients. */
export interface DialectLine {
  name: string;
  /** What the client of one `ann` says first. */
  hello: string;
  /** The games it has words for; null: all there are. */
  words: DialectWords[] | null;
  named: boolean;
  /** Whether its clients come to tables that others have opened. */
  tables: boolean;
  teams: boolean;
  /** Whether one can say which tour one means. */
  tours: boolean;
  joins: string;
  joins_open: string;
  farewells: boolean;
  /** The path at which it is spoken in a WebSocket; empty where it is not. */
  websocket: string;
}

export interface PlayerLine {
  player: number;
  name: string;
  dialect: string;
}

export interface Shown {
  type: "shown";
  line: TableLine;
  policy: Policy;
  seat: number | null;
  to_act: number[];
  left: number[] | null;
  view: View | null;
}

export interface Hello {
  type: "hello";
  server: string;
  player: number | null;
  name: string | null;
  token: string | null;
  tables: number[];
}

// -- tours

export interface TourLine {
  tour: number;
  name: string;
  variant: string;
  format: string;
  status: "open" | "running" | "paused" | "closing" | "ended" | "cancelled";
  owner: number | null;
  coded: boolean;
  entrants: number;
  matches: number;
  played: number;
  running: number;
  winners: string[];
}

export interface EntrantLine {
  entrant: number;
  name: string;
  players: { player: number; name: string; dialect: string; connected: boolean }[];
  out: string;
}

export interface StandingRow {
  place: number;
  entrant: number;
  name: string;
  points: number;
  played: number;
  wins: number;
  draws: number;
  losses: number;
  byes: number;
  forfeits: number;
  ties: number[];
  rating: number | null;
  uncertainty: number | null;
}

/** What a round is worth to one who sits it out: a draw's points, a win's, or none. */
export type Worth = "half" | "full" | "zero";

/** What is arranged by hand for rounds to come. */
export type Arrangement = { type: "meet"; round: number; sides: [number, number] } | { type: "apart"; entrants: [number, number] } | { type: "rest"; round: number; entrant: number; worth: Worth };

export interface TourShown {
  type: "tour_shown";
  line: TourLine;
  plan: { variant: string; name: string; [field: string]: unknown };
  code: string;
  left: number | null;
  entrants: EntrantLine[];
  standing: StandingRow[];
  n: number;
  /** What is arranged by hand, where something is. */
  arranged?: Arrangement[];
}

export interface MatchLine {
  match: number;
  round: number;
  sides: number[];
  status: string;
  table: number | null;
  result: { places: number[]; how: string; reason?: string; forfeits?: number[]; scores?: number[]; by_hand?: boolean } | null;
  points: number[];
  teams: number[];
  voided: number;
}
