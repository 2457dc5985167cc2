// The seeds by hand, where the plan says so: who is first, second and so on, before the start.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { tell } from "../../announce";
import type { TourShown } from "../../wire";
import { useBusy } from "../busy";
import { Dialog } from "../dialog";
import { FormEnd } from "../form";
import { type Names, nameOf } from "./names";
import { act } from "./organiser";

interface Props {
  shown: TourShown;
  names: Names;
}

/** Whether its organiser still says in which order entrants are seeded. */
export function seedable({ line, plan }: TourShown): boolean {
  return line.status === "open" && plan.seeding === "hand" && line.entrants > 0;
}

export function Seeds({ shown, names }: Props) {
  const [asking, setAsking] = useState(false);
  // The server does not tell what was said; this tab remembers it while the page is open.
  const [said, setSaid] = useState<readonly number[]>([]);
  const there = shown.entrants.filter((one) => !one.out).map((one) => one.entrant);
  const order = [...said.filter((one) => there.includes(one)), ...there.filter((one) => !said.includes(one))];
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        Seeds
      </button>
      {asking && <Form tour={shown.line.tour} first={order} names={names} said={setSaid} close={() => setAsking(false)} />}
    </>
  );
}

interface FormProps {
  tour: number;
  first: readonly number[];
  names: Names;
  said: (order: readonly number[]) => void;
  close: () => void;
}

function Form({ tour, first, names, said, close }: FormProps) {
  const [order, setOrder] = useState(first);
  const [wrong, setWrong] = useState("");
  const [busy, during] = useBusy();
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef(0); // whoever was moved by a button, which keeps the focus
  useLayoutEffect(() => {
    if (moved.current) list.current?.querySelector<HTMLElement>(`[data-entrant="${moved.current}"] button`)?.focus();
    moved.current = 0;
  }, [order]);
  const lift = (entrant: number) => {
    const place = order.indexOf(entrant);
    if (place < 1) return;
    moved.current = entrant;
    setOrder(order.toSpliced(place, 1).toSpliced(place - 1, 0, entrant));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    during(act(tour, { type: "seed", order: [...order] })).then(
      () => {
        said(order);
        tell("The seeds are set.");
        close();
      },
      (why: Error) => setWrong(why.message),
    );
  };
  return (
    <Dialog title="Seeds" close={close}>
      <form onSubmit={submit} onInput={() => setWrong("")}>
        <p>The first seed stands first. Who joins later comes after all of them, unless you set the seeds anew.</p>
        <ol ref={list} class="seeds">
          {order.map((entrant, place) => (
            <li key={entrant} data-entrant={entrant}>
              <span>{nameOf(names, entrant)}</span>
              <button type="button" class="quiet" aria-label={`${nameOf(names, entrant)} before the one above`} aria-disabled={place === 0} onClick={() => lift(entrant)}>
                ↑
              </button>
            </li>
          ))}
        </ol>
        <FormEnd wrong={wrong} act="Seed them so" close={close} busy={busy} />
      </form>
    </Dialog>
  );
}
