// The line to the server: one WebSocket that speaks the native dialect and mends itself.
//
// Every request has exactly one answer, in order, so a queue of promises is all it takes. What
// nobody asked for is news. When the line breaks, whatever waited is refused with `lost`, and it
// is dialled anew until it stands; whoever listens to `standing` then catches up. A line that has
// fallen silent is broken too: a quiet one is asked now and then whether it is there.

import { OWN } from "./dialects";
import { signal } from "@preact/signals";
import type { Hello, Notice, Refused, TableNews, TourNews } from "./wire";

export type News = TableNews | TourNews | Notice | { type: string };
export type Answer = { type: string };
export type Request = { type: string; [field: string]: unknown };

/** What the server would not do, with its sentence for people. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** A message that went over the line, for whoever wants to see it. */
export interface Heard {
  id: number;
  out: boolean;
  at: number;
  text: string;
}

const HEARD_MAX = 200; // messages kept to be looked at
const HEARD_LONG = 4000; // characters of each
const WAITS = [250, 500, 1000, 2000, 4000]; // milliseconds before dialling again
const QUIET = 15_000; // milliseconds without a word, after which the server is asked for one
const SILENT = 10_000; // milliseconds in which an answer must come

/** How the line is: `down` is said only after it stood, or could not be made. */
export const state = signal<"dialling" | "up" | "down">("dialling");
/** Counts how often the line has come up: whoever reads it is told to catch up. */
export const standing = signal(0);
export const heard = signal<readonly Heard[]>([]);
export const server = signal("");

type Waiting = { resolve: (answer: Answer) => void; reject: (why: Error) => void };

let socket: WebSocket | null = null;
let tries = 0;
let count = 0;
let spoken = 0; // when the server was last heard
let asked = 0; // when it was first asked since
const waiting: Waiting[] = [];
const listeners = new Set<(news: News) => void>();
let greeting: () => Request = () => ({ type: "hello", version: 1, views: true });
let greeted: (hello: Hello | Refused) => void = () => undefined;

/** Dial, and keep the line up for ever. `who` says how to greet, `met` hears the answer. */
export function open(who: () => Request, met: (hello: Hello | Refused) => void): void {
  greeting = who;
  greeted = met;
  dial();
  // A laptop that wakes up should not wait for the next try.
  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && hurry());
  setInterval(check, 2500);
}

/** Hang up and dial again, to greet anew. */
export function redial(): void {
  socket?.close();
}

/** Ask, and have the answer: who is quicker than the first dialling waits for it. Rejects with a Refusal. */
export async function ask<A extends Answer>(request: Request): Promise<A> {
  if (state.peek() === "dialling") await dialled();
  if (state.peek() !== "up") throw lost();
  return (await send(request)) as A;
}

/** The line stands, or could not be made. */
function dialled(): Promise<void> {
  return new Promise((resolve) => {
    const stop = state.subscribe((now) => {
      if (now === "dialling") return;
      queueMicrotask(() => stop()); // it may be called before it is there
      resolve();
    });
  });
}

/** Hear all news until the function returned is called. */
export function listen(hear: (news: News) => void): () => void {
  listeners.add(hear);
  return () => listeners.delete(hear);
}

function dial(): void {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const mine = new WebSocket(`${scheme}://${location.host}/ws/${OWN}`);
  socket = mine;
  mine.onopen = () => {
    if (socket !== mine) return;
    send(greeting()).then(
      (hello) => begin(hello as Hello),
      (why: unknown) => {
        if (!(why instanceof Refusal) || why.code === "lost") return;
        greeted({ type: "refused", code: why.code, sentence: why.message, table: null });
        redial();
      },
    );
  };
  mine.onmessage = (message) => {
    if (socket === mine) receive(String(message.data));
  };
  mine.onclose = () => fall(mine);
  spoken = performance.now();
}

/** This line is no more: refuse whatever waited, and dial again soon. */
function fall(mine: WebSocket): void {
  if (socket !== mine) return;
  socket = null;
  for (const one of waiting.splice(0)) one.reject(lost());
  state.value = "down";
  setTimeout(() => socket ?? dial(), WAITS[Math.min(tries++, WAITS.length - 1)]);
}

/** Nobody says so when a network is gone: whoever does not answer is. */
function check(): void {
  const mine = socket;
  const now = performance.now();
  if (!mine) return;
  const dead = mine.readyState === WebSocket.CONNECTING ? now - spoken > SILENT : waiting.length > 0 && now - Math.max(asked, spoken) > SILENT;
  if (dead) {
    mine.close(); // which may take long to be said: it is not waited for
    fall(mine);
  } else if (state.value === "up" && waiting.length === 0 && now - spoken > QUIET) {
    send({ type: "ping" }).catch(() => undefined);
  }
}

function begin(hello: Hello): void {
  tries = 0;
  server.value = hello.server;
  greeted(hello);
  state.value = "up";
  standing.value += 1;
}

function hurry(): void {
  if (socket === null) dial();
}

function send(request: Request): Promise<Answer> {
  if (socket === null || socket.readyState !== WebSocket.OPEN) return Promise.reject(lost());
  const text = JSON.stringify(request);
  socket.send(text);
  if (waiting.length === 0) asked = performance.now();
  note(true, text);
  return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
}

const NEWS = new Set(["news", "tour_news", "room_news", "notice", "lobby_said", "lobby_cleared"]);

function receive(text: string): void {
  spoken = performance.now();
  note(false, text);
  const message = JSON.parse(text) as Answer;
  if (NEWS.has(message.type)) {
    for (const hear of [...listeners]) hear(message);
    return;
  }
  const one = waiting.shift();
  if (message.type === "refused") {
    const { code, sentence } = message as Refused;
    one?.reject(new Refusal(code, sentence));
  } else {
    one?.resolve(message);
  }
}

function note(out: boolean, text: string): void {
  const one = { id: ++count, out, at: Date.now(), text: cut(hide(text)) };
  heard.value = [...heard.peek().slice(1 - HEARD_MAX), one];
}

function cut(text: string): string {
  return text.length <= HEARD_LONG ? text : `${text.slice(0, HEARD_LONG)}… and ${text.length - HEARD_LONG} characters more`;
}

/** Tokens are for nobody's eyes. */
function hide(text: string): string {
  return text.replace(/("token":")[^"]+"/g, '$1…"');
}

function lost(): Refusal {
  return new Refusal("lost", "The server cannot be reached just now; the page tries again by itself.");
}
