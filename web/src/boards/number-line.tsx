// The numbers a hidden one can be, as a line: what is ruled out is thin, what is left is thick.

export interface Tried {
  number: number;
  answer: string;
}

/** The smallest and the largest number it can still be, after these answers. */
export function leftOf(low: number, high: number, own: readonly Tried[]): [number, number] {
  const right = own.find((tried) => tried.answer === "C");
  if (right) return [right.number, right.number];
  const above = own.filter((tried) => tried.answer === "L").map((tried) => tried.number + 1);
  const below = own.filter((tried) => tried.answer === "H").map((tried) => tried.number - 1);
  return [Math.max(low, ...above), Math.min(high, ...below)];
}

interface LineProps {
  low: number;
  high: number;
  own: readonly Tried[];
  secret: number | null;
  /** What is typed and not yet guessed. */
  value: number | null;
  choose: ((number: number) => void) | null;
}

export function NumberLine({ low, high, own, secret, value, choose }: LineProps) {
  const [from, to] = leftOf(low, high, own);
  const part = (number: number) => Math.min(100, Math.max(0, ((number - low + 0.5) / (high - low + 1)) * 100));
  const start = ((from - low) / (high - low + 1)) * 100;
  const end = ((to - low + 1) / (high - low + 1)) * 100;
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const number = low + Math.floor(((event.clientX - box.left) / box.width) * (high - low + 1));
    choose?.(Math.min(high, Math.max(low, number)));
  };
  return (
    <div class="line">
      {/* The field below says and does the same, so the line is for the eye and the pointer alone. */}
      <div class={choose ? "line-track line-may" : "line-track"} aria-hidden="true" onClick={pick}>
        <div class="line-left" style={{ left: `${start}%`, width: `${Math.max(0.4, end - start)}%` }} />
        {own.map(({ number, answer }, n) => (
          <div key={n} class={`line-tried line-${answer}${n === own.length - 1 ? " line-newest" : ""}`} style={{ left: `${part(number)}%` }} />
        ))}
        {value !== null && value >= low && value <= high && <div class="line-value" style={{ left: `${part(value)}%` }} />}
        {secret !== null && <div class="line-secret" style={{ left: `${part(secret)}%` }} />}
      </div>
      <p class="line-ends">
        <span>{low}</span>
        <span>{said(from, to, own.length > 0, secret)}</span>
        <span>{high}</span>
      </p>
    </div>
  );
}

function said(from: number, to: number, known: boolean, secret: number | null): string {
  if (secret !== null) return `it was ${secret}`;
  if (!known) return "it is one of these";
  return from === to ? `it is ${from}` : `it is from ${from} to ${to}`;
}
