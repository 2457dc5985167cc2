// The heads of the three columns that every table of results has.

export function WonDrawnLost() {
  return (
    <>
      <th scope="col" class="number">
        <abbr title="Won">W</abbr>
      </th>
      <th scope="col" class="number">
        <abbr title="Drawn">D</abbr>
      </th>
      <th scope="col" class="number">
        <abbr title="Lost">L</abbr>
      </th>
    </>
  );
}
