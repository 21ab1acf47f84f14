import Link from "next/link";
import { Time } from "../../_components/controls/time.tsx";
import type { Column } from "../../_components/lists/table.tsx";
import type { Partner } from "./answers.ts";
import { PartnerStatus, rolesInWords, Volume } from "./partner-signs.tsx";

export const COLUMNS: readonly Column<Partner>[] = [
  { id: "name", header: "Name", pinned: true, cell: ({ id, name }) => <Link href={`/console/partners/${id}`}>{name}</Link> },
  { id: "slug", header: "Slug", cell: ({ slug }) => <code>{slug}</code> },
  { id: "status", header: "Status", cell: ({ status }) => <PartnerStatus status={status} /> },
  { id: "roles", header: "Roles", cell: ({ roles }) => rolesInWords(roles) },
  { id: "fee", header: "Fee", align: "end", cell: ({ charge_fee_percentage }) => `${charge_fee_percentage} %` },
  { id: "volume", header: "Paid out, 30 days", align: "end", cell: ({ volume }) => <Volume volume={volume} /> },
  { id: "members", header: "Members", align: "end", cell: ({ members }) => members.toLocaleString("en") },
  { id: "last", header: "Last activity", cell: (row) => <LastActivity row={row} /> },
];

function LastActivity({ row: { last_activity_at } }: { row: Partner }) {
  return last_activity_at === null ? <span className="none">never</span> : <Time at={last_activity_at} />;
}

/** A row on a phone. */
export function Card({ row }: { row: Partner }) {
  return (
    <>
      <div className="card-line">
        <Link href={`/console/partners/${row.id}`}>{row.name}</Link>
        <PartnerStatus status={row.status} />
      </div>
      <div className="card-line">
        <Volume volume={row.volume} />
        <span className="muted">{row.charge_fee_percentage} %</span>
      </div>
      <div className="card-line muted">
        <span>{row.slug}</span>
        <LastActivity row={row} />
      </div>
    </>
  );
}
