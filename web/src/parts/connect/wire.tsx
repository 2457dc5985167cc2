// The bytes of one's own connection, as they go by; it can be held still, and searched.
//
// While one reads further up nothing moves; at the foot new messages are followed.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Heard, heard, state } from "../../line";
import { Empty } from "../page";

const STATES = { dialling: "calling…", up: "connected", down: "cut off; calling again" };

export function WireView() {
  const [held, setHeld] = useState<readonly Heard[] | null>(null);
  const [filter, setFilter] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const atFoot = useRef(true);

  const all = held ?? heard.value;
  const wanted = filter.trim().toLowerCase();
  const shown = all.filter(({ text }) => text.toLowerCase().includes(wanted));
  const last = shown.at(-1)?.id;
  useLayoutEffect(() => {
    const it = box.current;
    if (it && atFoot.current) it.scrollTop = it.scrollHeight;
  }, [last, filter]);
  const scrolled = () => {
    const it = box.current;
    if (it) atFoot.current = it.scrollHeight - it.scrollTop - it.clientHeight < 24;
  };
  return (
    <section class="card" aria-labelledby="wire-title">
      <div class="head-row">
        <h2 id="wire-title">Your own connection</h2>
        <span class={state.value === "up" ? "badge badge-live" : "badge"}>{STATES[state.value]}</span>
      </div>
      <p class="faint">
        This page speaks the native dialect over a WebSocket. Here is every message as it goes by, yours with <b>&gt;</b>, the server’s with <b>&lt;</b>; tokens are left out.
      </p>
      <div class="wire-tools">
        <label>
          Only messages with
          <input type="search" name="filter" value={filter} placeholder="like news, or play" onInput={(e) => setFilter(e.currentTarget.value)} />
        </label>
        <button type="button" onClick={() => setHeld(held === null ? heard.value : null)}>
          {held === null ? "Pause" : "Go on"}
        </button>
      </div>
      <div class="wire" ref={box} onScroll={scrolled} tabIndex={0} role="log" aria-live="off" aria-label="Messages of your connection">
        {shown.length === 0 ? (
          <Empty>{wanted ? "No message has that in it." : "Nothing has been said yet."}</Empty>
        ) : (
          shown.map((one) => <Line key={one.id} one={one} />)
        )}
      </div>
    </section>
  );
}

function Line({ one }: { one: Heard }) {
  return (
    <p class={one.out ? "wire-line wire-out" : "wire-line"}>
      <time>{clockTime(one.at)}</time>
      <b aria-hidden="true">{one.out ? ">" : "<"}</b>
      <span class="unseen">{one.out ? "sent" : "received"}</span>
      <code>{one.text}</code>
    </p>
  );
}

function clockTime(at: number): string {
  const when = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${two(when.getHours())}:${two(when.getMinutes())}:${two(when.getSeconds())}.${String(when.getMilliseconds()).padStart(3, "0")}`;
}
