// All tours there are, the newest first. Those that are over stay as they are, so only the rest
// is asked for again.

import { useRef, useState } from "preact/hooks";
import { get } from "../../api";
import type { TourLine } from "../../wire";
import { useEvery } from "../page";

const PAGE = 200;
const EVERY = 4000; // milliseconds

interface TourPage {
  tours: TourLine[];
  next: number | null;
}

export function isOver(line: TourLine): boolean {
  return line.status === "ended" || line.status === "cancelled";
}

export function useTours(): { tours: TourLine[] | null; wrong: string } {
  const known = useRef(new Map<number, TourLine>());
  const [tours, setTours] = useState<TourLine[] | null>(null);
  const [wrong, setWrong] = useState("");
  useEvery(EVERY, () => {
    load(known.current).then(
      () => {
        setTours([...known.current.values()].sort((a, b) => b.tour - a.tour));
        setWrong("");
      },
      (why: Error) => setWrong(why.message),
    );
  });
  return { tours, wrong };
}

async function load(known: Map<number, TourLine>): Promise<void> {
  const numbers = [...known.values()].filter((line) => !isOver(line)).map((line) => line.tour - 1);
  let after: number | null = Math.min(...numbers, Math.max(0, ...known.keys()));
  while (after !== null) {
    const page: TourPage = await get<TourPage>(`/api/tours?after=${after}&limit=${PAGE}`);
    for (const line of page.tours) known.set(line.tour, line);
    after = page.next;
  }
}
