// How long it is until a tour starts by itself.

import { useEffect, useState } from "preact/hooks";
import type { TourShown } from "../../wire";
import { whenOf } from "../../words";
import { startsOf, untilOf } from "./starts";

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
  const at = startsOf(shown);
  const now = useNow(at !== null);
  if (at === null) return null;
  const when = <time dateTime={new Date(at).toISOString()}>{whenOf(at * 1000)}</time>;
  if (at <= now - 5000) return <p class="countdown">It was to begin at {when}, and too few were there. Whoever runs it can start it still.</p>;
  return (
    <p class="countdown">
      Begins by itself in <strong>{untilOf(at - now)}</strong>, at {when}.
    </p>
  );
}
