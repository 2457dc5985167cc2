// Codes of private tables: from the links that led there, kept as long as the tab is open.

const KEY = "codes";

/** The code of a table, from the address if it has one, or from before; empty for one that is for all. */
export function codeFor(table: number): string {
  const at = new URLSearchParams(location.search).get("code");
  if (at && location.pathname === `/tables/${table}`) keepCode(table, at);
  return kept()[table] ?? "";
}

export function keepCode(table: number, code: string): void {
  sessionStorage.setItem(KEY, JSON.stringify({ ...kept(), [table]: code }));
}

/** One that nobody guesses. */
export function newCode(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => letters[byte % letters.length]).join("");
}

/** The address of a table, as it may be given to somebody. */
export function linkTo(table: number): string {
  const code = codeFor(table);
  return `/tables/${table}${code ? `?code=${code}` : ""}`;
}

/** An address of the API about a table, with its code where it has one. */
export function withCode(address: string, table: number): string {
  const code = codeFor(table);
  return code ? `${address}${address.includes("?") ? "&" : "?"}code=${code}` : address;
}

function kept(): Record<number, string> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<number, string>;
  } catch {
    return {};
  }
}
