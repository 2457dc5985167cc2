// Whether I may moderate: as the organiser of this tab, or as an account that was named.

import { computed, effect, signal, untracked } from "@preact/signals";
import { tell } from "../../announce";
import * as line from "../../line";
import * as me from "../../me";
import type { Notice } from "../../wire";
import { token } from "../tour/organiser";

const named = signal(false);

/** Whether I may do what moderators do. */
export const mayModerate = computed(() => token.value !== "" || named.value);

effect(() => {
  line.standing.value;
  const player = me.player.value;
  const account = me.account.value; // nobody else is ever named
  untracked(() => {
    named.value = false;
    if (player === null || !account || line.state.value !== "up") return;
    line.ask({ type: "list_sanctions" }).then(
      () => (named.value = true),
      () => undefined,
    );
  });
});

line.listen((news) => {
  if (news.type !== "notice") return;
  const { code, sentence } = news as Notice;
  if (code === "moderator") named.value = true;
  if (code === "moderator" || code === "muted") tell(sentence);
});
