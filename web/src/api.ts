// Asking the API: JSON in and out, and a problem's sentence as an error.

import { Refusal } from "./line";

interface Problem {
  code?: string;
  detail?: string;
  title?: string;
}

/** GET this address, with a player's token where it is for that player alone. Rejects with a Refusal whose message can be shown. */
export async function get<T>(path: string, token = ""): Promise<T> {
  return read<T>(await fetched(path, token ? { headers: { Authorization: `Bearer ${token}` } } : {}));
}

/** POST as the organiser with this token. Rejects with a Refusal. */
export async function post<T>(path: string, token: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const wish: RequestInit = { method: "POST", headers };
  if (body !== undefined) wish.body = JSON.stringify(body);
  return read<T>(await fetched(path, wish));
}

/** POST what proves by itself who asks. Rejects with a Refusal. */
export async function send<T>(path: string, body: unknown): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return read<T>(await fetched(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

async function fetched(path: string, wish: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...wish, credentials: "omit" });
  } catch {
    throw new Refusal("lost", "The server cannot be reached just now.");
  }
}

async function read<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const problem = await response.json().then(
    (found: Problem) => found,
    (): Problem => ({}),
  );
  throw new Refusal(problem.code ?? String(response.status), problem.detail ?? problem.title ?? "The server would not.");
}
