// Somebody challenges me: said in the head of the page, heard, and gone when I answer either way.

import { signal } from "@preact/signals";
import * as line from "../line";
import { notify } from "../notify";
import { go } from "../route";
import { play } from "../sounds";
import type { Notice } from "../wire";

interface Asked {
  words: string;
  link: string;
}

const asked = signal<readonly Asked[]>([]);

line.listen((news) => {
  if (news.type !== "notice" || (news as Notice).code !== "challenged") return;
  const found = /^(.*): (\/tables\/\d+(?:\?code=\w+)?)$/.exec((news as Notice).sentence);
  if (!found) return;
  const [, words = "", link = ""] = found;
  asked.value = [...asked.peek(), { words, link }];
  play("begin");
  notify(`${words}.`, link);
});

export function Challenged() {
  const [first] = asked.value;
  const done = () => (asked.value = asked.value.slice(1));
  const look = () => {
    if (first) go(first.link);
    done();
  };
  return (
    <div role="status" class={first ? "call" : "unseen"}>
      {first && (
        <>
          <p class="call-text">{first.words}.</p>
          <button type="button" class="main" onClick={look}>
            Look
          </button>
          <button type="button" class="quiet" onClick={done}>
            No
          </button>
        </>
      )}
    </div>
  );
}
