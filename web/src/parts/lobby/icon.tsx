// A small picture for each game. It only decorates: the game's name always stands beside it.

import type { ComponentChildren } from "preact";

const PICTURES: Record<string, ComponentChildren> = {
  reversi: (
    <>
      <rect class="icon-cloth" x="2" y="2" width="36" height="36" rx="6" />
      <path class="icon-rule" d="M20 2v36M2 20h36" />
      <circle class="icon-black" cx="11" cy="11" r="6" />
      <circle class="icon-white" cx="29" cy="11" r="6" />
      <circle class="icon-white" cx="11" cy="29" r="6" />
      <circle class="icon-black" cx="29" cy="29" r="6" />
    </>
  ),
  bughouse: (
    <>
      <rect class="icon-light" x="2" y="2" width="36" height="36" rx="6" />
      <path class="icon-dark" d="M20 2h12a6 6 0 0 1 6 6v12H20zM2 20h18v18H8a6 6 0 0 1-6-6z" />
      <path class="icon-black" d="M14 31h13v-3l-2-2c1-8 0-13-7-15l-1-3-2 3c-3 2-5 6-6 9l2 3 5-2c0 3-3 4-2 8z" />
      <circle class="icon-white" cx="16.5" cy="15.5" r="1.1" />
    </>
  ),
  fish: (
    <>
      <path class="icon-ice" d="M20 2l16 9v18l-16 9-16-9V11z" />
      <path class="icon-sea" d="M9 20c4-7 13-8 18-2l5-4v12l-5-4c-5 6-14 5-18-2z" />
      <circle class="icon-white" cx="14.5" cy="19" r="1.4" />
    </>
  ),
  nim: (
    <>
      <rect class="icon-paper" x="2" y="2" width="36" height="36" rx="6" />
      <path class="icon-stick" d="M20 7v7M15 17v7M25 17v7M10 27v7M20 27v7M30 27v7" />
    </>
  ),
  guess: (
    <>
      <rect class="icon-paper" x="2" y="2" width="36" height="36" rx="6" />
      <path class="icon-stroke" d="M14.5 15a5.5 5.5 0 1 1 8 5c-2 1-2.5 2-2.5 4.5" />
      <circle class="icon-ink" cx="20" cy="30" r="1.8" />
    </>
  ),
  tictactoe: (
    <>
      <rect class="icon-paper" x="2" y="2" width="36" height="36" rx="6" />
      <path class="icon-rule" d="M14 5v30M26 5v30M5 14h30M5 26h30" />
      <path class="icon-stroke" d="M17 17l6 6M23 17l-6 6" />
      <circle class="icon-round" cx="32" cy="8" r="3" />
      <circle class="icon-round" cx="8" cy="32" r="3" />
    </>
  ),
};

export function GameIcon({ game, size = 40 }: { game: string; size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 40 40" width={size} height={size} aria-hidden="true">
      {PICTURES[game] ?? <rect class="icon-paper" x="2" y="2" width="36" height="36" rx="6" />}
    </svg>
  );
}
