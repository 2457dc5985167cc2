// Moves as buttons, where no click on a board can mean them.

const SHOWN = 200; // more are nobody's to choose from

interface Props {
  moves: readonly string[];
  play: (move: string) => unknown;
  say?: (move: string) => string;
  /** Whether they are for one's next turn: what one could play last time. */
  early?: boolean;
  /** Which of them is chosen for it. */
  chosen?: string | null;
}

export function Moves({ moves, play, say = (move) => move, early = false, chosen = null }: Props) {
  if (moves.length === 0) return null;
  return (
    <div class="plain-moves" role="group" aria-label={early ? "What you could play last time, for your next turn" : "What you may play"}>
      {moves.slice(0, SHOWN).map((move) => (
        <button type="button" key={move} {...(early ? { "aria-pressed": move === chosen } : {})} onClick={() => play(move)}>
          {say(move)}
        </button>
      ))}
    </div>
  );
}
