import Link from "next/link";
import { Time } from "../../_components/controls/values.tsx";
import { type Column, Short, Sums } from "../../_components/lists/table.tsx";
import { Data } from "../../_words/told.tsx";
import type { Partner } from "./answers.ts";
import { PartnerStatus, rolesInWords } from "./partner-signs.tsx";
import type { COLUMNS, PARTNER_SIGNS } from "./words.ts";

export function columnsOf(says: typeof COLUMNS, signs: typeof PARTNER_SIGNS): Column<Partner>[] {
  return [
    {
      id: "name",
      header: says.name,
      pinned: true,
      cell: ({ id, name }) => (
        <Link href={`/console/partners/${id}`}>
          <Short text={name} />
        </Link>
      ),
      card: 1.1,
    },
    {
      id: "slug",
      header: says.slug,
      cell: ({ slug }) => <code translate="no">{slug}</code>,
      inCard: ({ slug }) => <Data>{slug}</Data>,
      card: 3.1,
      aside: true,
    },
    { id: "status", header: says.status, cell: ({ status }) => <PartnerStatus status={status} />, card: 1.2 },
    { id: "roles", header: says.roles, cell: ({ roles }) => rolesInWords(roles, signs) },
    {
      id: "fee",
      header: says.fee,
      align: "end",
      cell: ({ charge_fee_percentage }) => `${charge_fee_percentage} %`,
      card: 2.2,
      aside: true,
    },
    { id: "volume", header: says.paidOut, align: "end", cell: ({ volume }) => <Sums of={volume} />, card: 2.1 },
    { id: "members", header: says.members, align: "end", cell: ({ members }) => members.toLocaleString("en") },
    {
      ...{ id: "last", header: says.lastActivity, card: 3.2, aside: true },
      cell: ({ last_activity_at: at }) => (at === null ? <span className="none">{says.never}</span> : <Time at={at} />),
    },
  ];
}
