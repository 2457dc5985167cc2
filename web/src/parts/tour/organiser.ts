// The organiser's token: kept for this tab alone, tried before it is kept, and shown to the
// server again whenever the line comes up, so that a tour's code is told too.

import { signal } from "@preact/signals";
import { tell } from "../../announce";
import { post } from "../../api";
import * as line from "../../line";

/** Characters of why the organiser does something; the server has the same bound. */
export const REASON_MAX = 200;

const KEEP = "rookery.organiser";

/** The token, once it was found right; empty for everybody else. */
export const token = signal(recall());
let shownTo = -1; // the line it was last shown to

/** Be the organiser. Rejects with a Refusal if that is not the token. */
export async function organise(given: string): Promise<void> {
  await line.ask({ type: "organise", token: given });
  shownTo = line.standing.value;
  token.value = given;
  try {
    sessionStorage.setItem(KEEP, given);
  } catch {
    // A browser that keeps nothing: it holds until the page is left.
  }
}

/** Show the token again, where there is one and this line has not seen it. */
export async function again(): Promise<void> {
  if (!token.value || shownTo === line.standing.value) return;
  await organise(token.value).catch(judge);
}

/** A token that was right and is no more: the server has another one now. */
function judge(why: unknown): void {
  if (!(why instanceof line.Refusal) || why.code !== "bad_token") return;
  resign();
  tell("The organiser’s token is another one now; give it again.", "error");
}

/** POST with the token. Rejects with a Refusal. */
export async function write<T>(path: string, body?: unknown): Promise<T> {
  return post<T>(path, token.value, body).catch((why: unknown) => {
    judge(why);
    throw why;
  });
}

/** Be the organiser no more. */
export function resign(): void {
  token.value = "";
  try {
    sessionStorage.removeItem(KEEP);
  } catch {
    // Nothing was kept.
  }
  shownTo = -1;
}

/** What one may do with a tour: by the token, or as its owner over the line. */
export type Act = { type: "start" | "pause" | "end" | "cancel" } | { type: "void"; match: number }
  | { type: "result"; match: number; places: number[]; reason: string }
  | { type: "withdraw"; entrant: number }
  | { type: "seed"; order: number[] };

/** Do it. Rejects with a Refusal. */
export async function act(tour: number, wish: Act): Promise<void> {
  if (token.value) await write(`/api/tours/${tour}/${pathOf(wish)}`, bodyOf(wish));
  else await line.ask(requestOf(tour, wish));
}

function bodyOf(wish: Act): unknown {
  if (wish.type === "result") return { places: wish.places, reason: wish.reason };
  if (wish.type === "seed") return { order: wish.order };
  return undefined;
}

function pathOf(wish: Act): string {
  switch (wish.type) {
    case "result":
      return `matches/${wish.match}/result`;
    case "seed":
      return "seeds";
    case "void":
      return `matches/${wish.match}/void`;
    case "withdraw":
      return `entrants/${wish.entrant}/withdraw`;
    default:
      return wish.type;
  }
}

function requestOf(tour: number, wish: Act): line.Request {
  switch (wish.type) {
    case "result":
      return { type: "enter_result", tour, match: wish.match, places: wish.places, reason: wish.reason };
    case "seed":
      return { type: "seed_tour", tour, order: wish.order };
    case "void":
      return { type: "void_match", tour, match: wish.match };
    case "withdraw":
      return { type: "withdraw", tour, entrant: wish.entrant };
    default:
      return { type: `${wish.type}_tour`, tour };
  }
}

function recall(): string {
  try {
    return sessionStorage.getItem(KEEP) ?? "";
  } catch {
    return "";
  }
}
