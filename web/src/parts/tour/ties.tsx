// The tie-breaks of a new tour: which there are to be, and in which order they are asked.

import { useLayoutEffect, useRef } from "preact/hooks";
import { TIES } from "./formats";
import type { Fields } from "./more";
import { tiesOf } from "./plan";

export function Ties({ values, set }: Fields) {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef(""); // what was moved by its button, which keeps the focus
  useLayoutEffect(() => {
    if (moved.current) list.current?.querySelector<HTMLElement>(`[data-tie="${moved.current}"] button`)?.focus();
    moved.current = "";
  }, [values.ties]);

  const used = tiesOf(values);
  const change = (names: readonly string[]) => set("ties", names.join(" "));
  const choose = (name: string, on: boolean) => change(on ? [...used, name] : used.filter((one) => one !== name));
  const lift = (name: string) => {
    const place = used.indexOf(name);
    if (place < 1) return;
    moved.current = name;
    change(used.toSpliced(place, 1).toSpliced(place - 1, 0, name));
  };
  const rest = Object.keys(TIES).filter((name) => !used.includes(name));
  return (
    <fieldset>
      <legend>Equal points are parted by</legend>
      <ol ref={list} class="ties">
        {[...used, ...rest].map((name, place) => {
          const [, title = name, about = ""] = TIES[name] ?? [];
          const on = used.includes(name);
          return (
            <li key={name} data-tie={name}>
              <label class="tick">
                <input type="checkbox" name={`ties.${name}`} checked={on} onChange={(e) => choose(name, e.currentTarget.checked)} />
                <span>
                  {title} <small class="faint">{about}</small>
                </span>
              </label>
              {on && (
                <button type="button" class="quiet" aria-label={`${title} before the one above`} aria-disabled={place === 0} onClick={() => lift(name)}>
                  ↑
                </button>
              )}
            </li>
          );
        })}
      </ol>
    </fieldset>
  );
}
