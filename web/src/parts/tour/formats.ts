// The formats of tours in words, and what can be set about each; see docs/tours.md. One that came
// with a plug-in is told as it declares itself.

import { formats } from "../../formats";
import { gameFor } from "../../games";
import type { FormatLine, GameOption } from "../../wire";
import { capital } from "../../words";

export interface FormatOption {
  name: string;
  label: string;
  kind: "number" | "yes";
  initial: number;
  least: number;
  most: number;
}

export interface Format {
  name: string;
  title: string;
  about: string;
  options: readonly FormatOption[];
  /** What can be set besides, as the server tells it. */
  told?: readonly GameOption[];
  /** Whether one may join while it runs. */
  late: boolean;
  /** Whether its rounds say how far it is; else matches are a list. */
  rounds: boolean;
  /** Whether who met whom fills a square. */
  cross: boolean;
  /** Whether the order of the seeds says who meets whom first. */
  seeded: boolean;
  /** Whether it makes the teams itself: everyone enters alone. */
  solo?: boolean;
}

const number = (name: string, label: string, initial: number, least: number, most: number): FormatOption => ({ name, label, kind: "number", initial, least, most });

const FORMATS: readonly Format[] = [
  {
    name: "round_robin",
    title: "Round robin",
    about: "Everyone meets everyone. The fairest, if there is time.",
    options: [number("legs", "How often they meet", 1, 1, 4)],
    late: false,
    rounds: true,
    cross: true,
    seeded: true,
  },
  {
    name: "swiss",
    title: "Swiss",
    about: "A few rounds among equals, for many players and an evening.",
    options: [
      number("rounds", "Rounds (0: as many as a knock-out has)", 0, 0, 99),
      number("late_byes", "Half-point byes for who joins late", 0, 0, 99),
    ],
    late: true,
    rounds: true,
    cross: true,
    seeded: true,
  },
  {
    name: "knockout",
    title: "Knock-out",
    about: "Who loses is out: a cup.",
    options: [number("legs", "Matches in a tie", 1, 1, 10), { name: "third", label: "Play for third place", kind: "yes", initial: 0, least: 0, most: 1 }],
    late: false,
    rounds: true,
    cross: false,
    seeded: true,
  },
  {
    name: "groups",
    title: "Groups",
    about: "A cup for tables of two to four: who is first goes on.",
    options: [],
    late: false,
    rounds: true,
    cross: false,
    seeded: true,
  },
  {
    name: "arena",
    title: "Arena",
    about: "Whoever is free plays, until the time is up. Come and go as you like.",
    options: [number("minutes", "Minutes", 30, 1, 10080)],
    late: true,
    rounds: false,
    cross: true,
    seeded: false,
  },
  {
    name: "gauntlet",
    title: "Gauntlet",
    about: "The first to join meet everyone else.",
    options: [number("champions", "How many meet all others", 1, 1, 16), number("legs", "How often they meet", 2, 1, 16)],
    late: true,
    rounds: true,
    cross: true,
    seeded: false,
  },
  {
    name: "joining",
    title: "Joining",
    about: "A double round robin that grows as players join.",
    options: [],
    late: true,
    rounds: true,
    cross: true,
    seeded: false,
  },
  {
    name: "duel",
    title: "Duel",
    about: "The same few again and again, every start from each seat.",
    options: [number("games", "Games", 100, 1, 100000)],
    late: false,
    rounds: false,
    cross: true,
    seeded: false,
  },
  {
    name: "rotating",
    title: "Rotating partners",
    about: "Bughouse with changing partners: everyone enters alone.",
    options: [number("rounds", "Rounds (0: each plays with each)", 0, 0, 255)],
    late: false,
    rounds: true,
    cross: true,
    seeded: false,
    solo: true,
  },
];

const UNKNOWN: Format = { name: "", title: "", about: "", options: [], late: false, rounds: true, cross: true, seeded: false };

/** All that there are: those this page has words for, and then what else the server has. */
export function allFormats(): Format[] {
  const others = formats.value.filter(({ name }) => !FORMATS.some((one) => one.name === name));
  return [...FORMATS, ...others.map(plain)];
}

/** `swiss rounds=5` as the format it is. */
export function formatOf(text: string): Format {
  const name = text.split(" ")[0] ?? "";
  return allFormats().find((format) => format.name === name) ?? { ...UNKNOWN, name, title: titleOf(name) };
}

function plain({ name, about, options, late, seeded, solo }: FormatLine): Format {
  return { ...UNKNOWN, name, title: titleOf(name), about, told: options, late, seeded, solo };
}

function titleOf(name: string): string {
  return capital(name.replaceAll("_", " "));
}

/** Whether entrants of this tour are teams. */
export function ofTeams(variant: string, format: string): boolean {
  return (gameFor(variant)?.teams ?? false) && !formatOf(format).solo;
}

/** A format with its options, for people: `Swiss, 5 rounds`. */
export function formatTitle(text: string): string {
  const [, ...words] = text.split(" ");
  const said = words.map((word) => {
    const [name = "", value = ""] = word.split("=");
    if (name === "third") return value === "true" ? "with third place" : "";
    if (name === "late_byes") return value === "0" ? "" : `${value} half-point ${value === "1" ? "bye" : "byes"} for who joins late`;
    return `${value} ${value === "1" ? name.replace(/s$/, "") : name}`;
  });
  return [formatOf(text).title, ...said.filter(Boolean)].join(", ");
}

export const STATUS: Record<string, string> = {
  open: "open",
  running: "running",
  paused: "paused",
  closing: "last games",
  ended: "over",
  cancelled: "called off",
};

/** A tie-break's short heading, its name, and what it counts. */
export const TIES: Record<string, [short: string, name: string, about: string]> = {
  head_to_head: ["H2H", "Head to head", "points from the matches among them"],
  sonneborn_berger: ["SB", "Sonneborn-Berger", "points of all one beat, and half of those one drew with"],
  buchholz: ["Buch", "Buchholz", "points of all one met"],
  median_buchholz: ["Med", "Median Buchholz", "points of all one met but the best and the worst"],
  buchholz_cut_1: ["BC1", "Buchholz cut 1", "points of all one met but the worst"],
  progressive: ["Prog", "Progressive", "points after each round, added up"],
  wins: ["Wins", "Wins", "matches won"],
  average_rating: ["ARO", "Average rating", "of all one played, as they came; none if nobody has one"],
  fewest_forfeits: ["Forf", "Fewest forfeits", "fewer games resigned, lost on time or left"],
};

export const DEFAULT_TIES = ["head_to_head", "sonneborn_berger", "buchholz", "wins", "fewest_forfeits"];
