// The lobby's chat: the last lines, and what is said while one looks. Nothing of it is kept.

import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { complain } from "../../announce";
import * as line from "../../line";
import * as me from "../../me";
import type { LobbyCleared, LobbyHeard, LobbyLine, LobbySaid } from "../../wire";
import { useBusy } from "../busy";
import { asPlayer } from "../me";
import { token } from "../tour/organiser";
import { BlockAuthor } from "./block-author";
import { isBlocked } from "./blocked";

const LONGEST = 300; // characters; the server has the same bound
const LAST = 100; // lines

const lines = signal<readonly LobbyLine[]>([]);

/** Hear the lobby while this is shown. */
function useLobby(): void {
  const stands = line.standing.value;
  const player = me.player.value;
  useEffect(
    () =>
      line.listen((news) => {
        if (news.type === "lobby_said") lines.value = [...lines.peek(), (news as LobbySaid).said].slice(-LAST);
        if (news.type === "lobby_cleared") lines.value = lines.peek().filter((one) => one.player !== (news as LobbyCleared).player);
      }),
    [],
  );
  useEffect(() => {
    if (line.state.peek() !== "up") return;
    line.ask<LobbyHeard>({ type: "hear_lobby" }).then(
      (heard) => (lines.value = heard.lines),
      () => undefined, // too many listen, or the line is gone: what was said stays
    );
  }, [stands, player]);
  useEffect(() => () => void line.ask({ type: "hear_lobby", hear: false }).catch(() => undefined), []);
}

export function LobbyChat() {
  useLobby();
  const shown = lines.value.filter((one) => !isBlocked(one.player));
  const log = useRef<HTMLOListElement>(null);
  const low = useRef(true); // whether the last line was in view
  useEffect(() => {
    if (log.current && low.current) log.current.scrollTop = log.current.scrollHeight;
  }, [shown.length]);
  return (
    <section class="card talk" aria-labelledby="lobby-talk-title">
      <div class="head-row">
        <h2 id="lobby-talk-title">Lobby chat</h2>
        {token.value && <a href="/moderation">Moderation</a>}
      </div>
      <ol
        ref={log}
        class="talk-log"
        tabIndex={0}
        aria-label="What was said in the lobby"
        onScroll={({ currentTarget: at }) => (low.current = at.scrollHeight - at.scrollTop - at.clientHeight < 24)}
      >
        {shown.length === 0 && <li class="faint">Nothing yet. Say hello to everybody.</li>}
        {shown.map((one) => (
          <li key={one.line}>
            <a class="talk-who" href={`/players/${one.player}`}>
              {one.name}
            </a>{" "}
            {one.text} <BlockAuthor player={one.player} name={one.name} />
          </li>
        ))}
      </ol>
      <Say />
    </section>
  );
}

function Say() {
  const [text, setText] = useState("");
  const [busy, during] = useBusy();
  const submit = (event: Event) => {
    event.preventDefault();
    if (!text.trim() || busy) return;
    asPlayer(() => {
      during(line.ask({ type: "say_in_lobby", text })).then(() => setText(""), complain);
    });
  };
  return (
    <form class="talk-say" onSubmit={submit}>
      <input aria-label="Say something to everybody" placeholder="Say something" value={text} maxLength={LONGEST} autocomplete="off" onInput={(e) => setText(e.currentTarget.value)} />
      <button type="submit" aria-busy={busy} disabled={line.state.value !== "up"}>
        Say
      </button>
    </form>
  );
}
