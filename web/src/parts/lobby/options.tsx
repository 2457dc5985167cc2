// A game's options as inputs, made from what the server says of them.

import type { GameOption } from "../../wire";
import { calledOf, capital } from "../../words";

export type Chosen = Record<string, string>;

interface Props {
  game: string;
  options: readonly GameOption[];
  chosen: Chosen;
  choose: (name: string, value: string) => void;
}

export function Options({ game, options, chosen, choose }: Props) {
  return (
    <>
      {options.map((option) => (
        <Option key={option.name} game={game} option={option} value={chosen[option.name] ?? String(option.default)} choose={choose} />
      ))}
    </>
  );
}

interface OffersProps {
  game: string;
  offers: readonly string[];
  options: readonly GameOption[];
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
}

/** What the game says is worth trying, each at one press; the inputs below follow. */
export function Offers({ game, offers, options, chosen, choose }: OffersProps) {
  if (offers.length === 0) return null;
  const now = variantText("", options, chosen);
  return (
    <fieldset class="pills">
      <legend>Played as</legend>
      {["", ...offers].map((offer) => {
        const these = Object.fromEntries(offer.split(" ").filter(Boolean).map((word) => word.split("=") as [string, string]));
        return (
          <label key={offer} class="pill">
            <input class="unseen" type="radio" name="offer" checked={variantText("", options, these) === now} onChange={() => choose(these)} />
            <span>{offer === "" ? "usual" : offer.split(" ").map((word) => word.split("=").map((part, i) => (i === 0 ? calledOf(part, game) : part)).join(" ")).join(", ")}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

function Option({ game, option, value, choose }: { game: string; option: GameOption; value: string; choose: Props["choose"] }) {
  const { name, kind, description } = option;
  const about = `about-${name}`;
  const given = (event: { currentTarget: { value: string } }) => choose(name, event.currentTarget.value);
  return (
    <div class="option">
      {kind === "true or false" ? (
        <label>
          {capital(calledOf(name, game))}
          <select name={name} value={value} aria-describedby={about} onChange={given}>
            <option value="false">no</option>
            <option value="true">yes</option>
          </select>
        </label>
      ) : (
        <label>
          {capital(calledOf(name, game))}
          <input
            name={name}
            type={kind === "number" ? "number" : "text"}
            value={value}
            placeholder={kind === "numbers" ? "like 3,4,5" : ""}
            aria-describedby={about}
            onInput={given}
          />
        </label>
      )}
      <p id={about} class="hint-text">
        {description && `${capital(description)}.`}
      </p>
    </div>
  );
}

/** `reversi size=10`: the game and what was chosen, without what is so anyway. */
export function variantText(game: string, options: readonly GameOption[], chosen: Chosen): string {
  const words = options
    .map(({ name, default: usual }) => [name, (chosen[name] ?? "").replace(/\s+/g, ""), String(usual)] as const)
    .filter(([, value, usual]) => value !== "" && value !== usual)
    .map(([name, value]) => `${name}=${value}`);
  return [game, ...words].join(" ");
}
