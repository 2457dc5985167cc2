// Clocks to choose from, and what a clock's text means in a sentence. Only the form that the
// server writes is read here; what a person typed is the server's to read.

import { useEffect, useState } from "preact/hooks";
import { get } from "../../api";
import { gameFor } from "../../games";

export const PRESETS: readonly (readonly [time: string, name: string])[] = [
  ["none", "No clock"],
  ["1m+1s", "1 minute + 1 second"],
  ["3m+2s", "3 minutes + 2 seconds"],
  ["5m", "5 minutes"],
  ["5m+3s", "5 minutes + 3 seconds"],
  ["15m+10s", "15 minutes + 10 seconds"],
  ["10s/move", "10 seconds a move"],
  ["30s/move", "30 seconds a move"],
  ["1m/move", "1 minute a move (as old clients play)"],
];

/** What a game is played with when nobody chose. */
export function usualClock(game: string, bots: boolean): string {
  if (gameFor(game)?.together) return "5m"; // several move at once: time is part of the game
  return bots ? "none" : "5m+3s";
}

const LENGTH = "((?:\\d+(?:\\.\\d+)?(?:ms|s|m|h))+)";
const BUDGET = new RegExp(`^${LENGTH}(?:\\+${LENGTH})?(?: delay ${LENGTH})?$`);
const PER_MOVE = new RegExp(`^${LENGTH}/move(?: first ${LENGTH}(?: of ([a-z]+))?)?$`);

/** How a clock is written, for who wrote one that cannot be read. */
export const HOW_TO = "Write it like 5m+3s, 93s, 5m delay 3s, 10s/move first 30s, or none.";

/** A clock as the server writes it, in a sentence; empty if it is written otherwise. */
export function explain(time: string): string {
  const text = time.trim();
  if (text === "none") return "Everyone may think as long as they like.";
  const budget = BUDGET.exec(text);
  if (budget) {
    const [, base = "", more, free] = budget;
    const plus = more ? `, and ${length(more)} more after every move` : "";
    const delay = free ? `; the first ${length(free)} of every move are free` : "";
    return `Each player has ${length(base)} for the whole game${plus}${delay}.`;
  }
  const each = PER_MOVE.exec(text);
  if (!each) return "";
  const [, base = "", first, phase] = each;
  const of = phase === "phase" ? "of every phase" : phase ? `of the phase ${phase}` : "of the game";
  return `Each move may take ${length(base)}${first ? `, the first ${of} ${length(first)}` : ""}.`;
}

interface ClockRead {
  time: string;
  words: string;
}

const PATIENCE = 250; // milliseconds without a keystroke before the server is asked

/** What a clock that somebody typed was taken for, in a sentence, or why it is none. */
export function useClock(typed: string, game: string): string {
  const [read, setRead] = useState<readonly [typed: string, words: string]>(["", HOW_TO]);
  const plain = explain(typed);
  const named = / of /.test(typed); // a phase, which the game may not have
  useEffect(() => {
    if (typed.trim() === "" || (plain !== "" && !named)) return undefined;
    let wanted = true;
    const tell = (words: string) => wanted && setRead([typed, words]);
    const asking = setTimeout(() => {
      const query = new URLSearchParams({ text: typed, game });
      get<ClockRead>(`/api/clock?${query}`).then(
        ({ time, words }) => tell(plain === "" ? `Taken for ${time}. ${words}` : words),
        (why: Error) => tell(why.message),
      );
    }, PATIENCE);
    return () => {
      wanted = false;
      clearTimeout(asking);
    };
  }, [typed, game]);
  if (read[0] === typed && typed.trim() !== "") return read[1];
  return plain || HOW_TO;
}

const UNITS: Record<string, string> = { ms: "millisecond", s: "second", m: "minute", h: "hour" };

/** `1m30s` in words. */
function length(text: string): string {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  return parts.map(([, n = "", unit = ""]) => `${n} ${UNITS[unit] ?? unit}${n === "1" ? "" : "s"}`).join(" ");
}
