// Moves as buttons, where no click on a board can mean them.

const SHOWN = 200; // more are nobody's to choose from

export function Moves({ moves, play, say = (move) => move }: { moves: readonly string[]; play: (move: string) => unknown; say?: (move: string) => string }) {
  if (moves.length === 0) return null;
  return (
    <div class="plain-moves" role="group" aria-label="What you may play">
      {moves.slice(0, SHOWN).map((move) => (
        <button type="button" key={move} onClick={() => play(move)}>
          {say(move)}
        </button>
      ))}
    </div>
  );
}
