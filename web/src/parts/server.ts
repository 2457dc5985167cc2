// What the server says of itself: where it listens, and which bots are for everyone.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../api";
import { standing } from "../line";

export interface Place {
  host: string;
  port: number;
  dialect: string; // `any` where it knows the caller by the first bytes
  tls: boolean;
  tour: boolean; // whether who comes there is bound for a tour
  bot_level: number | null;
}

export interface ServerShown {
  version: string;
  listens: Place[];
  house: { games: string[]; levels: number[]; level: number; wait: number } | null;
  /** What others type to see the page; empty where only this machine can. */
  reach: string[];
}

const shown = signal<ServerShown | null>(null);

/** The server as it was when the line last came up; null until it is known. */
export function useServer(): ServerShown | null {
  const up = standing.value;
  useEffect(() => {
    get<ServerShown>("/api/server").then(
      (found) => (shown.value = found),
      () => undefined, // the frame says that the server cannot be reached
    );
  }, [up]);
  return shown.value;
}

/** Whether bots can be asked for in this game; yes until it is known. */
export function hasBots(server: ServerShown | null, game: string): boolean {
  return server === null || (server.house?.games.includes(game) ?? false);
}
