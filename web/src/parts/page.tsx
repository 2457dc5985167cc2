// Small parts that many pages are made of.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api";
import * as tab from "../tab-title";

/** A page's title, in the page and in the browser's tab. */
export function Title({ text, children }: { text: string; children?: ComponentChildren }) {
  useEffect(() => {
    tab.shown.value = text;
  }, [text]);
  return (
    <div class="title">
      <h1>{text}</h1>
      {children}
    </div>
  );
}

/** Says that there is nothing, and what to do. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** Says what went wrong, and where to go. */
export function Sorry({ title, sentence }: { title: string; sentence: string }) {
  return (
    <section class="sorry">
      <Title text={title} />
      <p>{sentence}</p>
      <p>
        <a class="button" href="/">
          To the lobby
        </a>
      </p>
    </section>
  );
}

/** What an address of the API says; `again` asks anew, unless it is being asked. The old stays so long. */
export function useGet<T>(address: string | null): { found: T | null; wrong: string; again: () => void } {
  const [found, setFound] = useState<{ address: string; value: T } | null>(null);
  const [wrong, setWrong] = useState("");
  const [turn, setTurn] = useState(0);
  const asking = useRef(false);
  useEffect(() => {
    if (address === null) return;
    let wanted = true;
    asking.current = true;
    get<T>(address).then(
      (value) => {
        if (!wanted) return;
        asking.current = false;
        setFound({ address, value });
        setWrong("");
      },
      (why: Error) => {
        if (!wanted) return;
        asking.current = false;
        setWrong(why.message);
      },
    );
    return () => {
      wanted = asking.current = false;
    };
  }, [address, turn]);
  return { found: found && found.address === address ? found.value : null, wrong, again: () => asking.current || setTurn((n) => n + 1) };
}

/** Do this now and every so many milliseconds, while the page can be seen. */
export function useEvery(milliseconds: number, work: () => void, on = true): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (!on) return;
    const tick = () => document.visibilityState === "visible" && latest.current();
    latest.current();
    const timer = setInterval(tick, milliseconds);
    document.addEventListener("visibilitychange", tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    };
  }, [on, milliseconds]);
}
