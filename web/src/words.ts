// Words and numbers for people: times, names, variants, and what an event was.

import { callings, titles } from "./titles";
import type { SeatLine, TableEvent, TableLine } from "./wire";

/** `reversi size=10` as its game and its options. */
export function variantOf(text: string): { game: string; options: Record<string, string> } {
  const [game = "", ...rest] = text.split(" ");
  return { game, options: Object.fromEntries(rest.map((word) => word.split("=") as [string, string])) };
}

/** A variant as a title: `Reversi · size 10`. */
export function titleOf(variant: string): string {
  const { game, options } = variantOf(variant);
  const said = Object.entries(options).map(([name, value]) => `${calledOf(name, game)} ${value}`);
  return [gameOf(game), ...said].join(" · ");
}

/** What people call an option of a game; or a seat, whatever it is played at. */
export function calledOf(name: string, game?: string): string {
  if (game !== undefined) return callings.value[game]?.[name] ?? name;
  return Object.values(callings.value).find((words) => words[name])?.[name] ?? name;
}

/** What people call a game. */
export function gameOf(name: string): string {
  return titles.value[name] ?? capital(name.replaceAll("_", " "));
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A time control as people say it. */
export function timeOf(time: string): string {
  return time === "none" ? "no clock" : time;
}

/** Microseconds on a clock: `4:59`, and tenths in the last twenty seconds. */
export function clockOf(micros: number): string {
  const left = Math.max(0, micros);
  if (left < 20e6) {
    const tenths = Math.ceil(left / 1e5);
    return `0:${String(Math.floor(tenths / 10)).padStart(2, "0")}.${tenths % 10}`;
  }
  const seconds = Math.ceil(left / 1e6);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** How long something took: `0.4 s`, `12 s`, `2 min 5 s`. */
export function spanOf(micros: number): string {
  const seconds = micros / 1e6;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${Math.round(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** When something happened, in the reader's own time. */
export function whenOf(micros: number): string {
  return new Date(micros / 1000).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** Who sits in a seat, or what the seat is called. */
export function whoOf(seat: SeatLine | undefined): string {
  return seat?.player_name || (seat ? `the ${calledOf(seat.name)} seat` : "nobody");
}

/** `Ann, Bob and Cid`, or `4, 6 or 8`. */
export function listOf(names: readonly string[], type: "conjunction" | "disjunction" = "conjunction"): string {
  return new Intl.ListFormat("en-GB", { type }).format(names);
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** How a table came out, in a sentence; empty while it runs. */
export function outcomeOf(line: TableLine): string {
  const outcome = line.outcome;
  if (!outcome) return "";
  const winners = line.seats.filter((seat) => outcome.places[seat.seat] === 1).map(whoOf);
  if (winners.length === 0) return "Nobody won.";
  if (winners.length === line.seats.length) return "A draw.";
  return `${listOf(winners)} won.`;
}

/** A sentence of the server about seats, and who sits there: `Home (Ann) resigned.` */
export function withNames(sentence: string, seats: readonly SeatLine[]): string {
  const named = new Map(seats.flatMap((seat) => [seat.name, capital(seat.name)].map((name) => [name, seat.player_name] as const)));
  const words = [...named.keys()].sort((a, b) => b.length - a.length).map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  if (words.length === 0) return sentence;
  // A seat's name is a word by itself: not the black of a blackboard, nor the X of an X-ray.
  const seat = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${words.join("|")})(?![\\p{L}\\p{N}-])`, "gu");
  return sentence.replace(seat, (name) => {
    const who = named.get(name) ?? "";
    if (calledOf(name.toLowerCase()) !== name.toLowerCase()) return who || capital(calledOf(name.toLowerCase())); // a word of ours says nothing beside a name
    return who === "" || who.toLowerCase() === name.toLowerCase() ? name : `${name} (${who})`;
  });
}

/**
 * What happened, in a sentence; empty for what goes without saying. `move` is in the game's words;
 * `offered` says whether the other side had offered a draw, since an offer is a yes then.
 */
export function eventOf(event: TableEvent, seats: readonly SeatLine[], move: string, offered = false): string {
  const who = (seat: number) => whoOf(seats[seat]);
  switch (event.type) {
    case "sat":
      return `${event.name} sat down.`;
    case "left":
      return "Somebody left before the start.";
    case "started":
      return "The game begins.";
    case "taken_over":
      return `${event.name} plays on for somebody who is gone.`;
    case "played":
      return move ? `${who(event.seat)}: ${move}` : `${who(event.seat)} moved.`;
    case "erred":
      return `${who(event.seat)} tried an illegal move (${event.code}).`;
    case "draw_offered":
      return `${who(event.seat)} ${offered ? "accepts the" : "offers a"} draw.`;
    case "draw_declined":
      return `${who(event.seat)} declines the draw.`;
    case "takeback_asked":
      return `${who(event.seat)} asks to take the last move back.`;
    case "takeback_declined":
      return `${who(event.seat)} takes nothing back.`;
    case "taken_back":
      return `${event.plies === 1 ? "A move is" : `${event.plies} moves are`} taken back: ${who(event.seat)} moves again.`;
    case "out":
      return `${who(event.seat)} ${OUT[event.why] ?? "is out"}.`;
    case "ended":
      return withNames(event.outcome.reason, seats);
    case "closed":
      return event.reason || "The table was closed before its game began.";
    case "said":
      return `${event.name} says: ${event.text}`;
    case "rematch_wished":
      return `${who(event.seat)} would play again.`;
    case "rematched":
      return `It goes on at table ${event.table}.`;
    case "opened":
    case "owned":
    case "swapped":
      return "";
  }
}

const OUT: Record<string, string> = {
  resigned: "resigned",
  late: "ran out of time",
  cheated: "made one illegal move too many",
  gone: "was gone for too long",
};
