// How long it is until a tour starts by itself, and the button by which one says that one is there.

import { useEffect, useState } from "preact/hooks";
import { tell } from "../../announce";
import * as line from "../../line";
import type { EntrantLine, TourShown } from "../../wire";
import { whenOf } from "../../words";
import { Press } from "../busy";
import { isChecking, startsOf, untilOf } from "./starts";

/** The time of day, by the second, while that is wanted. */
export function useNow(on: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [on]);
  return now;
}

export function Countdown({ shown }: { shown: TourShown }) {
  const starts = startsOf(shown);
  const now = useNow(starts !== null);
  if (!starts) return null;
  const when = <time dateTime={new Date(starts.at).toISOString()}>{whenOf(starts.at * 1000)}</time>;
  if (starts.at <= now - 5000) return <p class="countdown">It was to begin at {when}, and too few were there. Whoever runs it can start it still.</p>;
  const checked = shown.entrants.filter((one) => one.checked && !one.out).length;
  return (
    <p class="countdown">
      Begins by itself in <strong>{untilOf(starts.at - now)}</strong>, at {when}.
      {isChecking(starts, now) && ` Who is in must check in: ${checked} of ${shown.line.entrants} have.`}
    </p>
  );
}

export function CheckIn({ shown, mine }: { shown: TourShown; mine: EntrantLine }) {
  const starts = startsOf(shown);
  const now = useNow(starts !== null);
  if (!starts || starts.checks === null) return null;
  if (mine.checked) return <p class="checked">✓ You have checked in.</p>;
  if (!isChecking(starts, now)) return <p>You can check in from {whenOf(starts.checks * 1000)} on; who has not at the start is out.</p>;
  return <Press main text="Check in: I am here" act={() => checkIn(shown.line.tour)} />;
}

export async function checkIn(tour: number): Promise<void> {
  await line.ask({ type: "check_in", tour });
  tell("You have checked in.");
}
