// A small picture for each game, as the game declares it. It only decorates: the game's name always
// stands beside it. It is shown as an image of its own, in which nothing can run or be asked for.

import { gameFor } from "../../games";
import { gameOf } from "../../words";

export function GameIcon({ game, size = 40 }: { game: string; size?: number }) {
  const icon = gameFor(game)?.shown.icon;
  if (icon) return <img class="icon" src={`data:image/svg+xml,${encodeURIComponent(icon)}`} width={size} height={size} alt="" />;
  return (
    <svg class="icon" viewBox="0 0 40 40" width={size} height={size} aria-hidden="true">
      <rect class="icon-paper" x="2" y="2" width="36" height="36" rx="6" />
      {icon === "" && (
        <text class="icon-letter" x="20" y="27">
          {gameOf(game).charAt(0)}
        </text>
      )}
    </svg>
  );
}
