import { Link } from "../../_components/controls/link.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { type Column, Short, Sums } from "../../_components/lists/table.tsx";
import { Data } from "../../_words/trans.tsx";
import type { Partner } from "./answers.ts";
import { PartnerStatus, rolesInWords } from "./partner-signs.tsx";
import type { COLUMNS, PARTNER_SIGNS } from "./words.ts";

export function columnsOf(t: typeof COLUMNS, signs: typeof PARTNER_SIGNS): Column<Partner>[] {
  return [
    {
      id: "name",
      header: t.name,
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
      header: t.slug,
      cell: ({ slug }) => <code translate="no">{slug}</code>,
      inCard: ({ slug }) => <Data>{slug}</Data>,
      card: 3.1,
      aside: true,
    },
    { id: "status", header: t.status, cell: ({ status }) => <PartnerStatus status={status} />, card: 1.2 },
    { id: "roles", header: t.roles, cell: ({ roles }) => rolesInWords(roles, signs) },
    {
      id: "fee",
      header: t.fee,
      align: "end",
      cell: ({ charge_fee_percentage }) => `${charge_fee_percentage} %`,
      card: 2.2,
      aside: true,
    },
    { id: "volume", header: t.paidOut, align: "end", cell: ({ volume }) => <Sums of={volume} />, card: 2.1 },
    { id: "members", header: t.members, align: "end", cell: ({ members }) => members.toLocaleString("en") },
    {
      id: "last",
      header: t.lastActivity,
      card: 3.2,
      aside: true,
      cell: ({ last_activity_at: at }) => (at === null ? <span className="none">{t.never}</span> : <Time at={at} />),
    },
  ];
}
