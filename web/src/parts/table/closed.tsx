// A table whose players left before its game began, and how to open another just like it.

import type { Table } from "../../tables";
import { Title } from "../page";
import { OpenAlike } from "./alike";
import { lastOf } from "./story";

export function Closed({ table }: { table: Table }) {
  const why = lastOf(table.moments.value, "closed")?.reason;
  return (
    <section class="sorry">
      <Title text={`Table ${table.id} is closed`} />
      <p>{why || "Everybody left before its game began. Who waits for others and loses the connection gives up the seat too, here after ten minutes."}</p>
      <p class="acts-row closed-acts">
        <OpenAlike table={table} main />
        <a class="button" href="/">
          To the lobby
        </a>
      </p>
    </section>
  );
}
