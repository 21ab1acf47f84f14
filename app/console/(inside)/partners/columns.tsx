import Link from "next/link";
import { Time } from "../../_components/controls/values.tsx";
import { type Column, Sums } from "../../_components/lists/table.tsx";
import type { Partner } from "./answers.ts";
import { PartnerStatus, rolesInWords } from "./partner-signs.tsx";

export const COLUMNS: readonly Column<Partner>[] = [
  { id: "name", header: "Name", pinned: true, cell: ({ id, name }) => <Link href={`/console/partners/${id}`}>{name}</Link>, card: 1.1 },
  { id: "slug", header: "Slug", cell: ({ slug }) => <code>{slug}</code>, inCard: ({ slug }) => slug, card: 3.1, aside: true },
  { id: "status", header: "Status", cell: ({ status }) => <PartnerStatus status={status} />, card: 1.2 },
  { id: "roles", header: "Roles", cell: ({ roles }) => rolesInWords(roles) },
  { id: "fee", header: "Fee", align: "end", cell: ({ charge_fee_percentage }) => `${charge_fee_percentage} %`, card: 2.2, aside: true },
  { id: "volume", header: "Paid out, 30 days", align: "end", cell: ({ volume }) => <Sums of={volume} />, card: 2.1 },
  { id: "members", header: "Members", align: "end", cell: ({ members }) => members.toLocaleString("en") },
  {
    ...{ id: "last", header: "Last activity", card: 3.2, aside: true },
    cell: ({ last_activity_at: at }) => (at === null ? <span className="none">never</span> : <Time at={at} />),
  },
];
