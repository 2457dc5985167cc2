// The drawings of fish: little fish on a tile, and penguins in four colours.
//
// A penguin has its colour's first letters on its belly, so that nobody needs to tell red from
// brown. Lengths are in sides of a hexagon, around the middle of a tile.

const SIGNS = ["R", "W", "Br", "Bl"]; // by seat

/** Where the fish of a tile are, by their number: x, y, and how large. */
const SHOALS: readonly (readonly [number, number, number])[][] = [
  [],
  [[0, 0, 1.1]],
  [[-0.12, -0.24, 0.95], [0.12, 0.24, 0.95]],
  [[0.04, -0.42, 0.85], [-0.22, 0, 0.85], [0.1, 0.42, 0.85]],
  [[0, -0.5, 0.72], [-0.38, -0.02, 0.72], [0.4, 0.02, 0.72], [0, 0.5, 0.72]],
  [[0, -0.54, 0.66], [-0.42, -0.2, 0.66], [0.42, -0.14, 0.66], [-0.2, 0.28, 0.66], [0.3, 0.46, 0.66]],
];

/** One fish: a body, a tail, and an eye cut out of it. */
function fishPath(x: number, y: number, size: number): string {
  const at = (dx: number, dy: number) => `${(x + dx * size).toFixed(3)} ${(y + dy * size).toFixed(3)}`;
  const eye = (0.035 * size).toFixed(3);
  return (
    `M${at(-0.34, 0)}Q${at(-0.1, -0.25)} ${at(0.16, -0.02)}L${at(0.34, -0.16)}Q${at(0.27, 0)} ${at(0.34, 0.16)}` +
    `L${at(0.16, 0.02)}Q${at(-0.1, 0.25)} ${at(-0.34, 0)}Z` +
    `M${at(-0.235, -0.025)}a${eye} ${eye} 0 1 0 ${2 * Number(eye)} 0a${eye} ${eye} 0 1 0 ${-2 * Number(eye)} 0Z`
  );
}

const SHOAL_PATHS = SHOALS.map((shoal) => shoal.map(([x, y, size]) => fishPath(x, y, size)).join(""));
/** The fish below a penguin's feet: small, in one row. */
const ROW_PATHS = SHOALS.map((shoal) => {
  const [apart, size] = shoal.length > 3 ? [0.245, 0.36] : [0.36, 0.5];
  return shoal.map((_, n) => fishPath((n - (shoal.length - 1) / 2) * apart, 0.63, size)).join("");
});

export function Shoal({ fish, under = false }: { fish: number; under?: boolean }) {
  return <path class="fish" fill-rule="evenodd" d={(under ? ROW_PATHS : SHOAL_PATHS)[fish] ?? ""} />;
}

/** A penguin that stands on a tile; without a sign where it would be too small to read. */
export function Penguin({ seat, signed = true }: { seat: number; signed?: boolean }) {
  return (
    <g class={`penguin penguin-${seat}`} transform="translate(0 -.06) scale(.92)">
      <ellipse class="penguin-shade" cx="0" cy=".5" rx=".42" ry=".09" />
      <path class="penguin-feet" d="M-.26 .52q.02-.13.14-.13t.12.13ZM.26 .52q-.02-.13-.14-.13t-.12.13Z" />
      <path class="penguin-coat" d="M-.33 .02Q-.56 .12-.5 .36-.4 .3-.33 .22ZM.33 .02Q.56 .12.5 .36.4 .3.33 .22Z" />
      <path class="penguin-coat" d="M0-.76C.24-.76.31-.6.31-.44.31-.3.4-.14.4.1.4.36.24.46 0 .46S-.4.36-.4.1C-.4-.14-.31-.3-.31-.44-.31-.6-.24-.76 0-.76Z" />
      <path class="penguin-belly" d="M0-.2C.16-.26.28-.1.28.12.28.32.16.4 0 .4S-.28.32-.28.12C-.28-.1-.16-.26 0-.2Z" />
      <ellipse class="penguin-belly" cx="-.11" cy="-.5" rx=".105" ry=".12" />
      <ellipse class="penguin-belly" cx=".11" cy="-.5" rx=".105" ry=".12" />
      <circle class="penguin-eye" cx="-.09" cy="-.5" r=".045" />
      <circle class="penguin-eye" cx=".09" cy="-.5" r=".045" />
      <path class="penguin-beak" d="M-.09-.4Q0-.46.09-.4 .05-.28 0-.26-.05-.28-.09-.4Z" />
      {signed && (
        <text class="penguin-sign" x="0" y=".23">
          {SIGNS[seat]}
        </text>
      )}
    </g>
  );
}
