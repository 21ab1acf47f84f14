import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { Id, Time } from "../../_components/controls/values.tsx";
import { type Column, None, partnerColumn, Short, Sums } from "../../_components/lists/table.tsx";
import { Data } from "../../_words/told.tsx";
import { SafeBadge } from "./safe-badge.tsx";
import type { COLUMNS } from "./words.ts";

type Says = typeof COLUMNS;

export type Row = Answers["members"]["list"]["data"][number];

export function columnsFor(isOperator: boolean, says: Says): Column<Row>[] {
  return [
    {
      ...{ id: "member", header: says.member, pinned: true, card: 1.1 },
      cell: ({ member: { id, external_user_id } }) => (
        <Link href={`/console/members/${id}`} className="short" title={external_user_id} translate="no">
          {external_user_id}
        </Link>
      ),
    },
    ...partnerColumn<Row>(isOperator, 3.2, says),
    {
      ...{ id: "name", header: says.name, card: 2.1 },
      cell: ({ member: { name } }) => <Short text={name} />,
      inCard: ({ member: { name, phone } }) => <Data>{name ?? phone}</Data>,
    },
    { id: "phone", header: says.phone, cell: ({ member: { phone } }) => <Data>{phone}</Data> },
    { id: "safe", header: says.safe, cell: ({ member: { safe_status } }) => <SafeBadge status={safe_status} />, card: 3.1 },
    {
      ...{ id: "wallet", header: says.wallet },
      cell: ({ member: { wallet_address } }) => (wallet_address === null ? <None /> : <Id value={wallet_address} what={says.theWallet} />),
    },
    { id: "volume", header: says.volume, align: "end", cell: ({ volume }) => <Sums of={volume} />, card: 2.2 },
    { id: "created", header: says.created, cell: ({ member: { created_at } }) => <Time at={created_at} />, card: 1.2 },
  ];
}
