// The schedule: who meets whom, round by round. A cup is drawn as a bracket, from left to right;
// what has no rounds is a list: what is being played, what came out last, and what is to come.

import { useState } from "preact/hooks";
import type { MatchLine, TourShown } from "../../wire";
import { count } from "../../words";
import { formatOf } from "./formats";
import { Match } from "./match";
import type { Names } from "./names";
import { byRound } from "./score";

interface Props {
  shown: TourShown;
  matches: readonly MatchLine[];
  names: Names;
  runs: boolean;
}

const SMALL = 90; // matches of a schedule that is seen whole
const SMALL_ROUND = 8; // and of a round in it
const CUP = 16; // matches of a round that a bracket has room for
const WIDE = 700; // pixels; a phone shows one round at a time
const PAGE = 24; // matches shown of a long list

export function Schedule(props: Props) {
  const { name, rounds } = formatOf(props.shown.line.format);
  if (!rounds) return <Latest {...props} />;
  const cup = name === "knockout" || name === "groups";
  return cup && byRound(props.matches).every(([, some]) => some.length <= CUP) ? <Bracket {...props} /> : <Rounds {...props} />;
}

/** Small rounds stand side by side; of large ones those fold that are not being played. */
function Rounds(props: Props) {
  const rounds = byRound(props.matches);
  const small = innerWidth >= WIDE && props.matches.length <= SMALL && rounds.every(([, some]) => some.length <= SMALL_ROUND);
  const current = rounds.find(([, some]) => some.some((match) => match.status !== "over"))?.[0] ?? rounds.at(-1)?.[0];
  return (
    <div class={small ? "rounds rounds-small" : "rounds"}>
      {rounds.map(([round, some]) => (
        <Round key={round} round={round} some={some} current={small || round === current} {...props} />
      ))}
    </div>
  );
}

function Round({ round, some, current, ...props }: Props & { round: number; some: MatchLine[]; current: boolean }) {
  // Until somebody opens or closes it, a round is open while it is the current one.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? current;
  const over = some.filter((match) => match.status === "over").length;
  const toggle = (event: Event) => {
    event.preventDefault();
    setChosen(!open);
  };
  return (
    <details class="round" open={open}>
      <summary onClick={toggle}>
        <h3>{titleOf(props, round)}</h3>
        <span class="faint">{over === some.length ? "over" : `${over} of ${some.length} over`}</span>
      </summary>
      {open && <List some={some} {...props} />}
    </details>
  );
}

function Bracket(props: Props) {
  const rounds = byRound(props.matches);
  return (
    <div class="bracket scroll" tabIndex={0} role="group" aria-label="Bracket">
      {rounds.map(([round, some]) => (
        <section key={round} class="bracket-round">
          <h3>{titleOf(props, round)}</h3>
          <List some={some} {...props} />
        </section>
      ))}
    </div>
  );
}

/** What a round is called; one of a cup by how many are still to come, and third place has one of its own. */
function titleOf({ shown, matches }: Props, round: number): string {
  const { name } = formatOf(shown.line.format);
  if (name !== "knockout") return `Round ${round}`;
  const third = shown.line.format.includes("third=true");
  const entrants = new Set(matches.filter((match) => match.round === 1).flatMap((match) => match.sides)).size;
  const toCome = Math.ceil(Math.log2(Math.max(2, entrants))) - round;
  if (third && entrants > 2 && toCome <= 0) return toCome === 0 ? "Third place" : "Final";
  return ["Final", "Semi-finals", "Quarter-finals"][toCome] ?? `Round ${round}`;
}

/** Running, then over, the last first, then to come; more on demand. */
function Latest(props: Props) {
  const [many, setMany] = useState(PAGE);
  const of = (status: string) => props.matches.filter((match) => match.status === status);
  const some = [...of("playing"), ...of("over").reverse(), ...of("waiting")].slice(0, many);
  return (
    <>
      <List some={some} {...props} />
      {props.matches.length > many && (
        <p class="more">
          <button type="button" onClick={() => setMany(many + 4 * PAGE)}>
            Show more of {count(props.matches.length, "match", "matches")}
          </button>
        </p>
      )}
    </>
  );
}

function List({ some, shown, names, runs }: Props & { some: readonly MatchLine[] }) {
  const over = ["closing", "ended", "cancelled"].includes(shown.line.status);
  return (
    <ul class="matches">
      {some.map((match) => (
        <Match key={match.match} tour={shown.line.tour} match={match} names={names} runs={runs} over={over} />
      ))}
    </ul>
  );
}
