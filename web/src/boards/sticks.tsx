// One row of nim's matches, and how many of them would be taken.
//
// A long row is drawn in bundles of ten, then single matches. All rows of a board have the same
// room, so that longer rows are longer to the eye.

const BUNDLE = 10;
const SINGLE_MOST = 120; // matches of the longest row that are still drawn one by one
const ROOMS = [12, 20, 30, 40, 60, 80, 100, 110, 120, 140]; // few, so that a board seldom changes its scale
const GROUP = 5;
const GAP = 0.7; // between groups, in matches

export interface Room {
  bundled: boolean;
  places: number;
}

/** How much room rows of these lengths need. */
export function room(lengths: readonly number[]): Room {
  const longest = Math.max(1, ...lengths);
  const bundled = longest > SINGLE_MOST;
  const places = Math.max(...lengths.map((has) => (bundled ? Math.floor(has / BUNDLE) + BUNDLE : has)));
  return { bundled, places: ROOMS.find((size) => size >= places) ?? places };
}

const left = (place: number) => place + Math.floor(place / GROUP) * GAP + 0.5;

interface Match {
  x: number;
  /** How many lie left of it. */
  before: number;
  size: number;
}

/** Matches from this place on: bundles as far as they go, then single ones. */
function lay(number: number, before: number, place: number, bundled: boolean): Match[] {
  const matches: Match[] = [];
  for (let laid = 0; laid < number; ) {
    const size = bundled && number - laid >= BUNDLE ? BUNDLE : 1;
    matches.push({ x: left(place + matches.length), before: before + laid, size });
    laid += size;
  }
  return matches;
}

interface SticksProps {
  has: number;
  take: number;
  gone: number;
  room: Room;
  label?: string;
  row?: number;
  tabbable?: boolean;
  hover?: (take: number | null) => void;
  focus?: () => void;
  press?: (key: KeyboardEvent) => void;
  choose?: (take: number, touch: boolean) => void;
}

export function Sticks({ has, take, gone, room, label, row, tabbable, hover, focus, press, choose }: SticksProps) {
  const kept = lay(has - take, 0, 0, room.bundled);
  const taken = lay(take, has - take, kept.length, room.bundled);
  const lost = lay(gone, has, kept.length + taken.length, room.bundled);
  const width = left(room.places) + 0.5;
  const drawing = (
    <svg class="sticks" viewBox={`0 0 ${width} 10`} preserveAspectRatio="none" aria-hidden="true" style={{ "--pitch": `calc((100cqi - var(--beside)) / ${width})`, maxWidth: `${width * 26}px` }}>
      <Matches kind="kept" matches={kept} />
      <Matches kind="taken" matches={taken} />
      <Matches kind="lost" matches={lost} />
    </svg>
  );
  if (choose === undefined) {
    return label === undefined ? drawing : <div class="nim-strip" role="img" aria-label={label}>{drawing}</div>;
  }
  const matches = [...kept, ...taken];
  const under = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).querySelector("svg")?.getBoundingClientRect();
    const x = box ? ((event.clientX - box.left) / box.width) * width : 0;
    const found = matches.findLast((match) => match.x - 0.5 - GAP / 2 <= x) ?? matches[0];
    const beyond = x > (matches.at(-1)?.x ?? 0) + 1.5;
    return found && !beyond ? has - found.before : null;
  };
  return (
    <div
      class="nim-strip nim-may"
      role="slider"
      data-row={row}
      tabIndex={tabbable ? 0 : -1}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={has}
      aria-valuenow={Math.max(1, take)}
      aria-valuetext={`take ${Math.max(1, take)}, leave ${has - Math.max(1, take)}`}
      onKeyDown={press}
      onFocus={focus}
      onPointerMove={(event) => event.pointerType === "mouse" && hover?.(under(event))}
      onPointerLeave={() => hover?.(null)}
      onClick={(event) => {
        const number = under(event);
        const touch = (event as unknown as PointerEvent).pointerType === "touch";
        if (number !== null) choose(number, touch);
      }}
    >
      {drawing}
    </div>
  );
}

/** Many matches in a few strokes: wood and heads, thicker for bundles. */
function Matches({ kind, matches }: { kind: string; matches: readonly Match[] }) {
  if (matches.length === 0) return null;
  const [bundles, single] = [matches.filter((match) => match.size > 1), matches.filter((match) => match.size === 1)];
  const wood = (some: readonly Match[]) => some.map(({ x }) => `M${x.toFixed(2)} 2V9`).join("");
  const heads = (some: readonly Match[]) => some.map(({ x }) => `M${x.toFixed(2)} 1.6v.8`).join("");
  return (
    <g class={`sticks-${kind}`}>
      <path class="wood" d={wood(single)} />
      <path class="match-head" d={heads(single)} />
      <path class="wood bundle" d={wood(bundles)} />
      <path class="match-head bundle" d={heads(bundles)} />
      <path class="band" d={bundles.map(({ x }) => `M${(x - 0.4).toFixed(2)} 5.5h.8`).join("")} />
    </g>
  );
}
