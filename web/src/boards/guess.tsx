// Guess: a hidden number on a line that grows shorter with every answer one gets.
//
// The moves are too many to list; that there are any means that it is one's turn.

import { useRef, useState } from "preact/hooks";
import type { SeatLine, View } from "../wire";
import { capital, whoOf } from "../words";
import type { BoardProps, Kit } from "./kit";
import { leftOf, NumberLine, type Tried } from "./number-line";

interface GuessView extends View {
  low: number;
  high: number;
  turn: number | null;
  round: number;
  answers: [string, string];
  own: Tried[];
  secret: number | null;
}

const ANSWERS: Record<string, string> = { H: "too high", L: "too low", C: "correct", "-": "none yet" };
const SIGNS: Record<string, string> = { H: "↓", L: "↑", C: "✓", "-": "·" };

function Board({ view, seat, seats, moves, play, small }: BoardProps) {
  const { low, high, turn, round, answers, own, secret } = view as GuessView;
  const [typed, setTyped] = useState("");
  const answered = answers.map((answer, n) => <Answer key={n} name={whoOf(seats[n])} answer={answer} turn={turn === n} fresh={turn === 1 - n && answer !== "-"} />);
  if (small) {
    return (
      <div class="board board-guess board-small" aria-hidden="true">
        <p class="guess-hidden">{secret ?? "?"}</p>
        <p class="guess-range">
          {low} to {high}
        </p>
        <ul class="guess-answers">{answered}</ul>
      </div>
    );
  }
  const value = typed === "" || !Number.isInteger(Number(typed)) ? null : Number(typed);
  return (
    <div class={`board board-guess${seat === null ? " guess-looking" : ""}`} role="group" aria-label="Guess board">
      <div class="guess-top">
        <p class="guess-hidden">
          <span class="unseen">{secret === null ? "The number is hidden" : "The number was"}</span>
          <span aria-hidden={secret === null}>{secret ?? "?"}</span>
        </p>
        <p class="guess-round">Round {round}</p>
      </div>
      <NumberLine low={low} high={high} own={own} secret={secret} value={value} choose={moves.length > 0 ? (number) => setTyped(String(number)) : null} />
      <ul class="guess-answers">{answered}</ul>
      {seat !== null && secret === null && <Form low={low} high={high} own={own} may={moves.length > 0} typed={typed} setTyped={setTyped} play={play} />}
      {seat === null && secret === null && <p class="guess-note">Who looks on hears the answers; the numbers stay secret until the end.</p>}
      {seat !== null && <Guesses own={own} />}
    </div>
  );
}

interface AnswerProps {
  name: string;
  answer: string;
  turn: boolean;
  fresh: boolean;
}

function Answer({ name, answer, turn, fresh }: AnswerProps) {
  return (
    <li class={`guess-answer guess-${answer === "-" ? "none" : answer}${fresh ? " guess-fresh" : ""}`}>
      <span class="guess-who">
        <span>{name}</span>
        {turn && <span class="badge">to guess</span>}
      </span>
      <span class="guess-said">
        <span aria-hidden="true">{SIGNS[answer]}</span> <span class="guess-words">{ANSWERS[answer] ?? answer}</span>
      </span>
    </li>
  );
}

interface FormProps {
  low: number;
  high: number;
  own: readonly Tried[];
  may: boolean;
  typed: string;
  setTyped: (typed: string) => void;
  play: (move: string) => void;
}

function Form({ low, high, own, may, typed, setTyped, play }: FormProps) {
  const input = useRef<HTMLInputElement>(null);
  const [from, to] = leftOf(low, high, own);
  return (
    <form
      class="guess-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!may || typed === "") return;
        play(String(Number(typed)));
        setTyped("");
        input.current?.focus();
      }}
    >
      <label>
        {from === to ? `It is ${from}` : `Your guess, ${from} to ${to}`}
        <input ref={input} type="number" inputMode="numeric" step="1" min={low} max={high} required autoComplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <button class="main" disabled={!may}>
        Guess
      </button>
    </form>
  );
}

/** One's own guesses, the newest first. */
function Guesses({ own }: { own: readonly Tried[] }) {
  if (own.length === 0) return <p class="guess-note">Your guesses will stand here, with their answers.</p>;
  return (
    <ol class="guess-list" reversed tabIndex={0} aria-label="Your guesses">
      {own.map(({ number, answer }, n) => (
        <li key={n} class={`guess-${answer}`}>
          <b>{number}</b> <span aria-hidden="true">{SIGNS[answer]}</span> {ANSWERS[answer]}
        </li>
      )).reverse()}
    </ol>
  );
}

export const guess: Kit = {
  Board,
  say: (move) => move,
  after: (seat, view) => ANSWERS[(view as GuessView).answers[seat] ?? ""] ?? "",
  describe: (view: View, seats: readonly SeatLine[]) => {
    const { low, high, turn, round, answers, secret } = view as GuessView;
    const heard = answers.map((answer, n) => `${capital(whoOf(seats[n]))}: ${ANSWERS[answer]}.`).join(" ");
    const next = turn === null ? "" : ` It is ${whoOf(seats[turn])}’s turn.`;
    const number = secret === null ? `A number from ${low} to ${high} is hidden.` : `The number was ${secret}.`;
    return `${number} Round ${round}. ${heard}${next}`;
  },
  scores: () => null,
  unit: "",
  ratio: () => 1.15,
};
