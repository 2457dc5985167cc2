// One tile of the ice, or the sea where it was. It is drawn anew only when something on it changed:
// a board has up to 1600 of them.

import { Component } from "preact";
import { mayWords, movesWords } from "./early";
import { count } from "../words";
import { Penguin, Shoal } from "./fish-art";
import { outline } from "./hex";

interface TileProps {
  spot: string;
  x: number;
  y: number;
  /** 0 is the sea. */
  fish: number;
  /** The colour of the penguin on it. */
  flock: string | null;
  small: boolean;
  tabbable: boolean;
  movable: boolean;
  picked: boolean;
  target: boolean;
  /** The seat whose penguin would be placed here. */
  ghost: number | null;
  /** Whether a penguin is chosen that can go here. */
  lit: boolean;
  last: boolean;
  /** Whether all this is for one's next turn. */
  early: boolean;
  choose: (spot: string) => void;
  grab: (spot: string, start: PointerEvent) => void;
}

const TOP = outline(0.94);
const RING = outline(0.82);
const WATCHED = ["fish", "flock", "small", "tabbable", "movable", "picked", "target", "ghost", "lit", "last", "early", "x", "y"] as const;

export class Tile extends Component<TileProps> {
  // The latest props, for what is clicked: functions do not make a tile be drawn anew.
  override shouldComponentUpdate(next: TileProps): boolean {
    return WATCHED.some((name) => next[name] !== this.props[name]);
  }

  override render({ spot, x, y, fish, flock, small, tabbable, movable, picked, target, ghost, lit, last, early }: TileProps) {
    const place = `translate(${x.toFixed(3)} ${y.toFixed(3)})`;
    const face = fish > 0 && (
      <>
        <path class="tile-side" d={TOP} transform="translate(0 .1)" />
        <path class={`tile-top tile-${fish}${last ? " tile-last" : ""}`} d={TOP} />
        {lit && <path class="tile-target" d={RING} />}
        <Shoal fish={fish} under={flock !== null} />
      </>
    );
    if (small) return fish > 0 ? <g transform={place}>{face}</g> : null;
    const may = movable || target;
    return (
      <g
        transform={place}
        data-cell={spot}
        role="button"
        tabindex={tabbable ? 0 : -1}
        aria-label={this.name(this.props)}
        aria-disabled={!may}
        {...(movable ? { "aria-pressed": picked } : {})}
        class={`cell tile${may ? " may" : ""}${movable ? " movable" : ""}${picked ? " picked" : ""}${lit ? " target" : ""}`}
        onClick={() => this.props.choose(spot)}
        onPointerDown={(start) => this.props.grab(spot, start)}
      >
        <path class="tile-area" d={TOP} />
        {face}
        {target && ghost !== null && (
          <>
            {!early && <circle class="hint" cy=".69" r=".09" />}
            <g class="ghost">
              <Penguin seat={ghost} signed={false} />
            </g>
          </>
        )}
        {movable && <path class="tile-movable" d={RING} />}
        <path class="ring" d={outline(0.88)} />
      </g>
    );
  }

  private name({ spot, fish, flock, movable, picked, target, lit, early }: TileProps): string {
    if (fish === 0) return `${spot}, sea`;
    const said = [spot, count(fish, "fish", "fish")];
    if (flock !== null) said.push(`${flock} penguin`);
    if (picked) said.push("chosen");
    else if (movable) said.push(movesWords(early, false));
    if (target) said.push(lit ? movesWords(early, true) : mayWords(early));
    return said.join(", ");
  }
}
