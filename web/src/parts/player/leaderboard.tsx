// Who is best at a game, by games that are of no tour.

import { useState } from "preact/hooks";
import { FIRST_GAME } from "../../boards";
import { useGet } from "../page";
import { type Rated, Strongest } from "./strongest";

const NOBODY = "Nobody is listed yet. Five games between people, at tables that count, bring one here.";

export function Leaderboard() {
  const [game, setGame] = useState(FIRST_GAME);
  const { found, wrong } = useGet<{ rows: Rated[] }>(`/api/leaderboards/${encodeURIComponent(game)}`);
  return (
    <Strongest
      title="Leaderboard"
      id="board-title"
      field="board"
      game={game}
      choose={setGame}
      rows={found?.rows}
      empty={found ? NOBODY : wrong || "Looking…"}
    />
  );
}
