// Reminds me of a tour that is about to begin, in the head of every page but its own.

import { useEffect } from "preact/hooks";
import { putOff, reminders } from "../dates";
import { notify } from "../notify";
import { path } from "../route";
import { play } from "../sounds";
import { untilOf } from "./tour/starts";

export function Reminder() {
  const first = reminders.value.find(({ tour }) => path.value !== `/tours/${tour}`);
  const text = first ? `${first.name} begins in ${untilOf(Math.ceil(first.left / 60_000) * 60_000)}.` : "";
  useEffect(() => {
    if (!first) return;
    play("begin");
    notify(text, `/tours/${first.tour}`);
  }, [first?.tour]);
  return (
    <div role="status" class={first ? "call" : "unseen"}>
      {first && (
        <>
          <p class="call-text">{text}</p>
          <a class="button main" href={`/tours/${first.tour}`}>
            To the tour
          </a>
          <button type="button" class="quiet" onClick={() => putOff(first.tour)}>
            Later
          </button>
        </>
      )}
    </div>
  );
}
