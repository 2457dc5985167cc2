// Who I am: a player's number and token, kept by the browser for this server alone.
//
// One tab speaks for the player at a time, since the server lets only the last who says hello do
// so. A tab that opens while another one plays looks on as nobody, until told to play here; when
// the one that played is closed, one that is left goes on for it.

import { computed, effect, signal } from "@preact/signals";
import { tell } from "./announce";
import { send } from "./api";
import * as line from "./line";
import * as tabs from "./tabs";
import type { Hello, Notice, Refused } from "./wire";

interface Identity {
  player: number;
  name: string;
  token: string;
  /** Whether the name is kept by a passphrase. */
  account?: boolean;
}

const KEEP = "rookery.me";
const LEFT = 1500; // milliseconds after a tab left, in which it may only have been loaded anew

const kept = signal<Identity | null>(recall());
/** Whether this tab speaks for the player. */
const here = signal(false);
/** The player's tables that are not over. */
export const seated = signal<number[]>([]);
/** What the user is told about who they are. */
export const trouble = signal("");

/** My name, also while another tab plays for me. */
export const name = computed(() => kept.value?.name ?? "");
/** My number, where this tab plays for me. */
export const player = computed(() => (here.value ? (kept.value?.player ?? null) : null));
/** My number, whoever plays for me. */
export const number = computed(() => kept.value?.player ?? null);
/** What shows the server that I am who I am; empty where this tab does not play for me. */
export const token = computed(() => (here.value ? (kept.value?.token ?? "") : ""));
/** Whether I play in another tab. */
export const elsewhere = computed(() => kept.value !== null && !here.value && line.state.value === "up");

let wanted = false; // whether this tab is to speak for the player
let signedOut = ""; // why my token is void, where the server has said so

/** Dial the server as whoever I am. */
export async function arrive(): Promise<void> {
  wanted = kept.value !== null && !(await tabs.isClaimed());
  effect(() => tabs.claim(here.value));
  tabs.listen(() => setTimeout(() => void inherit(), LEFT));
  addEventListener("storage", ({ key }) => key === KEEP && share(recall()));
  line.listen((news) => {
    if (news.type !== "notice") return;
    const { code, sentence } = news as Notice;
    if (code === "taken_over") here.value = wanted = false;
    if (code === "muted") tell(sentence);
    if (code === "banned") trouble.value = sentence;
    if (code === "reset" || code === "signed_out") signedOut = sentence;
  });
  line.open(greeting, met);
}

/** Be a player of this name. Rejects with a Refusal. */
export async function enter(as: string): Promise<void> {
  const welcome = await line.ask<{ type: string; player: number; name: string; token: string }>({ type: "enter", name: as });
  keep({ player: welcome.player, name: welcome.name, token: welcome.token });
  trouble.value = "";
  wanted = here.value = true;
}

/** Whether my name is kept by a passphrase. */
export const account = computed(() => kept.value?.account === true);

/** Keep my name by a passphrase. Rejects with a Refusal. */
export async function keepName(passphrase: string): Promise<void> {
  const me = kept.value;
  if (!me) return;
  const found = await send<Identity>("/api/accounts", { player: me.player, token: me.token, passphrase });
  keep({ ...me, name: found.name, account: true });
}

/** Be whoever keeps this name. Rejects with a Refusal. */
export async function signIn(as: string, passphrase: string): Promise<void> {
  const found = await send<Identity>("/api/accounts/sign-in", { name: as, passphrase });
  keep({ ...found, account: true });
  trouble.value = "";
  wanted = true;
  line.redial(); // as a guest one would be two at once
}

/** Keep my name no more. Rejects with a Refusal. */
export async function giveUpName(passphrase: string): Promise<void> {
  const me = kept.value;
  if (!me) return;
  await send("/api/accounts/give-up", { name: me.name, passphrase });
  keep({ ...me, account: false });
}

/** Be nobody in this browser. */
export function signOut(): void {
  keep(null);
  here.value = wanted = false;
  line.redial();
}

/** Take another name. Rejects with a Refusal. */
export async function rename(as: string): Promise<void> {
  await line.ask({ type: "rename", name: as });
  if (kept.value) keep({ ...kept.value, name: as });
}

/** Let this tab speak for me, and no other. */
export async function playHere(): Promise<void> {
  const me = kept.value;
  if (!me) return;
  const welcome = await line.ask<{ type: string; name: string; tables: number[] }>({ type: "reclaim", player: me.player, token: me.token });
  seated.value = welcome.tables;
  keep({ ...me, name: welcome.name });
  wanted = here.value = true;
}

function greeting(): line.Request {
  const hello = { type: "hello", version: 1, views: true };
  const me = kept.value;
  return me && wanted ? { ...hello, player: me.player, token: me.token } : hello;
}

function met(hello: Hello | Refused): void {
  if (hello.type === "refused") {
    if (hello.code !== "bad_token") {
      trouble.value = hello.sentence; // it may let me in a little later
      return;
    }
    // The passphrase is another one, or the server has no such player: its log is another one now.
    const who = kept.value?.name ?? "you";
    const unknown = account.value ? `${who} has to sign in again here; or choose a name to play.` : `This server does not know ${who} any more; choose a name to play again.`;
    trouble.value = signedOut || unknown;
    signedOut = "";
    keep(null);
    here.value = wanted = false;
    return;
  }
  here.value = hello.player !== null;
  if (hello.player !== null) trouble.value = "";
  seated.value = hello.tables;
}

/** Another tab knows better who I am. */
function share(me: Identity | null): void {
  if (here.value && me?.player === kept.value?.player) kept.value = me;
  else if (!here.value) kept.value = me;
}

/** The tab that played for me is gone: go on here, unless another one does. */
async function inherit(): Promise<void> {
  if (kept.value === null || here.value || (await tabs.isClaimed())) return;
  wanted = true;
  await playHere().catch(() => undefined); // where the line is down, it will greet as me
}

function keep(me: Identity | null): void {
  kept.value = me;
  try {
    if (me) localStorage.setItem(KEEP, JSON.stringify(me));
    else localStorage.removeItem(KEEP);
  } catch {
    // A browser that keeps nothing: I am who I am until the tab closes.
  }
}

function recall(): Identity | null {
  try {
    const found = JSON.parse(localStorage.getItem(KEEP) ?? "null") as Identity | null;
    return found && typeof found.player === "number" && typeof found.token === "string" ? found : null;
  } catch {
    return null;
  }
}
