// A line that somebody reported, and what the organiser may do about it.

import type { ReportLine } from "../../wire";
import { whenOf } from "../../words";
import type { Wish } from "./acting";

export function ReportCard({ report, act }: { report: ReportLine; act: (wish: Wish) => void }) {
  const { whom, name } = report;
  return (
    <article class="card report" aria-label={`Report ${report.report}`}>
      <p>
        <a href={`/players/${whom}`}>{name}</a> said{" "}
        {report.table ? <a href={`/tables/${report.table}`}>at table {report.table}</a> : "in the lobby"}, {whenOf(report.said)}:
      </p>
      <blockquote class="said">{report.text}</blockquote>
      <p class="faint">
        Reported by <a href={`/players/${report.by}`}>{report.by_name}</a>
        {report.more ? ` and ${report.more} more` : ""}
        {report.reason ? `: ${report.reason}` : ""}
      </p>
      <div class="acts-row">
        <button type="button" onClick={() => act({ type: "mute", whom, name })}>
          Mute {name}
        </button>
        <button type="button" onClick={() => act({ type: "ban", whom, name })}>
          Ban {name}
        </button>
        <button type="button" class="quiet" onClick={() => act({ type: "settle_report", whom: null, name: "", report: report.report })}>
          Settle report {report.report}
        </button>
      </div>
    </article>
  );
}
