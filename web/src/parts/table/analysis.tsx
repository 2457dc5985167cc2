// A finished game looked into: how each position stands, what would have been best, and moves tried
// out on a board of one's own, in as many branches as one likes.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Analysis as Found, TableLine, Tryout } from "../../wire";
import { listOf, whoOf } from "../../words";
import { Board } from "../board";
import { useGet } from "../page";
import type { Cursor } from "./cursor";
import { stepTo } from "./stepper";
import { kitFor } from "./story";
import { addressOf, depthOf, type Slip, slipsOf, worst, worthTo } from "./study";

interface Props {
  cursor: Cursor;
  line: TableLine;
}

type Branch = readonly string[];

export function Analysis({ cursor, line }: Props) {
  const n = cursor.moment.value?.n ?? 0;
  const [tried, setTried] = useState<Branch>([]);
  const [branches, setBranches] = useState<readonly Branch[]>([]);
  useEffect(() => {
    setTried([]);
    setBranches([]);
  }, [n]);
  const play = (move: string) => {
    const next = [...tried, move];
    setTried(next);
    // What this goes on from is part of it now; what it leaves beside is a branch of its own.
    setBranches([...branches.filter((one) => !begins(next, one)), next]);
    return Promise.resolve(true);
  };
  const { found: position } = useGet<Tryout>(addressOf("tryout", cursor.table.id, n, tried));
  const ended = position !== null && position.to_act.length === 0;
  const { found, wrong } = useGet<Found>(position === null || ended ? null : addressOf("analysis", cursor.table.id, n, tried));
  return (
    <section class="card analysis" aria-labelledby="analysis-title">
      <h2 id="analysis-title">Analysis</h2>
      <div class="analysis-parts">
        <div class="analysis-board">
          <Board variant={line.variant} view={position?.view ?? null} seat={cursor.table.seat.value ?? 0} flipped={cursor.flipped.value} seats={line.seats} moves={position?.legal.map(([, move]) => move) ?? []} play={play} />
        </div>
        <div class="analysis-side">
          <Verdict line={line} found={found} wrong={wrong} ended={ended} position={position} play={play} />
          <Tried line={line} tried={tried} branches={branches} go={setTried} />
          {line.seats.length === 2 && <Mistakes cursor={cursor} line={line} />}
        </div>
      </div>
    </section>
  );
}

function begins(longer: Branch, shorter: Branch): boolean {
  return shorter.every((move, i) => longer[i] === move);
}

interface VerdictProps {
  line: TableLine;
  found: Found | null;
  wrong: string;
  ended: boolean;
  position: Tryout | null;
  play: (move: string) => void;
}

/** How it stands, and what is best. */
function Verdict({ line, found, wrong, ended, position, play }: VerdictProps) {
  if (ended) return <p role="status">The game is over here: {position?.outcome?.reason}</p>;
  if (wrong) return <p role="status">{wrong}</p>;
  if (!found) return <p role="status" aria-busy="true">Looking into it…</p>;
  const kit = kitFor(line.variant);
  const first = line.seats.length === 2 ? worthTo(0, found) : found.worth;
  const percent = Math.round(first * 100);
  const whose = whoOf(line.seats[line.seats.length === 2 ? 0 : found.seat]);
  return (
    <>
      <div class="analysis-bar" role="img" aria-label={`${whose} stands at ${percent} per cent`}>
        <span style={{ width: `${percent}%` }} />
      </div>
      <p role="status" class="analysis-words">
        {whoOf(line.seats[found.seat])} to move; {whose} stands at {percent} %. <span class="faint">{depthOf(found)}</span>
      </p>
      <ol class="analysis-choices" aria-label="Best moves">
        {found.choices.map(({ move, score }) => (
          <li key={move}>
            <button type="button" onClick={() => play(move)}>
              <b>{kit?.brief?.(move) ?? kit?.say(move, position?.view ?? null) ?? move}</b> <span class="faint">{score}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

/** The line one is in, move by move, and the others that were tried from here. */
function Tried({ line, tried, branches, go }: { line: TableLine; tried: Branch; branches: readonly Branch[]; go: (branch: Branch) => void }) {
  const kit = kitFor(line.variant);
  const say = (move: string) => kit?.brief?.(move) ?? kit?.say(move, null) ?? move;
  if (tried.length === 0 && branches.length === 0) return <p class="faint">Play on the board, or choose one of the moves, to try them out.</p>;
  return (
    <div class="analysis-tried">
      <div class="acts-row">
        <button type="button" disabled={tried.length === 0} onClick={() => go(tried.slice(0, -1))}>
          One move back
        </button>
        <button type="button" disabled={tried.length === 0} onClick={() => go([])}>
          To the game
        </button>
      </div>
      <p>Tried: {tried.length > 0 ? tried.map(say).join(", ") : "nothing"}</p>
      {branches.length > 1 && (
        <ul aria-label="Branches">
          {branches.map((branch) => (
            <li key={branch.join(" ")}>
              <button type="button" aria-current={branch === tried ? "true" : undefined} onClick={() => go(branch)}>
                {branch.map(say).join(", ")}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The moves of a seat that cost most, found one after the other. */
function Mistakes({ cursor, line }: Props) {
  const mine = cursor.table.seat.value;
  const [seat, setSeat] = useState<number | null>(null);
  const [slips, setSlips] = useState<readonly Slip[]>([]);
  const [state, setState] = useState({ done: 0, of: 0 });
  const wanted = useRef(0);
  useEffect(() => () => void (wanted.current += 1), []);
  const find = async (of: number) => {
    const run = ++wanted.current;
    setSeat(of);
    setSlips([]);
    setState({ done: 0, of: 0 });
    const found: Slip[] = [];
    for await (const { done, of: all, slip } of slipsOf(line.table, of, cursor.steps.peek(), line.outcome)) {
      if (run !== wanted.current) return;
      if (slip) found.push(slip);
      setSlips(worst(found));
      setState({ done, of: all });
    }
  };
  const kit = kitFor(line.variant);
  const say = (move: string) => kit?.brief?.(move) ?? kit?.say(move, null) ?? move;
  const busy = seat !== null && state.done < state.of;
  const over = seat !== null && state.of > 0 && !busy;
  return (
    <div class="analysis-slips">
      <div class="acts-row">
        {(mine === null ? [0, 1] : [mine]).map((of) => (
          <button key={of} type="button" aria-busy={busy && seat === of} disabled={busy} onClick={() => void find(of)}>
            {mine === null ? `Mistakes of ${whoOf(line.seats[of])}` : "Your mistakes"}
          </button>
        ))}
      </div>
      <p role="status">
        {busy && `Looking at move ${state.done + 1} of ${state.of}…`}
        {over && (slips.length === 0 ? "No move cost much." : `${listOf(slips.map(({ played }) => say(played)))} cost most.`)}
      </p>
      {slips.length > 0 && (
        <ol aria-label="Mistakes">
          {slips.map(({ step, played, better, cost }) => (
            <li key={step}>
              <button type="button" onClick={() => stepTo({ cursor, line }, step - 1)}>
                {say(played)} cost {Math.round(cost * 100)} %; {say(better)} was better
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
