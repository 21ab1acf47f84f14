import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { Id, Time } from "../../_components/controls/values.tsx";
import { type Column, None, partnerColumn, Short, Sums } from "../../_components/lists/table.tsx";
import { SafeBadge } from "./safe-badge.tsx";

export type Row = Answers["members"]["list"]["data"][number];

export function columnsFor(isOperator: boolean): Column<Row>[] {
  return [
    {
      ...{ id: "member", header: "Member", pinned: true, card: 1.1 },
      cell: ({ member: { id, external_user_id } }) => (
        <Link href={`/console/members/${id}`} className="short" title={external_user_id}>
          {external_user_id}
        </Link>
      ),
    },
    ...partnerColumn<Row>(isOperator, 3.2),
    {
      ...{ id: "name", header: "Name", card: 2.1 },
      cell: ({ member: { name } }) => <Short text={name} />,
      inCard: ({ member: { name, phone } }) => name ?? phone,
    },
    { id: "phone", header: "Phone", cell: ({ member: { phone } }) => phone },
    { id: "safe", header: "Safe", cell: ({ member: { safe_status } }) => <SafeBadge status={safe_status} />, card: 3.1 },
    {
      ...{ id: "wallet", header: "Wallet" },
      cell: ({ member: { wallet_address } }) => (wallet_address === null ? <None /> : <Id value={wallet_address} what="wallet" />),
    },
    { id: "volume", header: "30-day volume", align: "end", cell: ({ volume }) => <Sums of={volume} />, card: 2.2 },
    { id: "created", header: "Created", cell: ({ member: { created_at } }) => <Time at={created_at} />, card: 1.2 },
  ];
}
