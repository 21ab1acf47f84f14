import type { Answers } from "#server/console/router.ts";
import { Link } from "../../_components/controls/link.tsx";
import { Id, Time } from "../../_components/controls/values.tsx";
import { type Column, None, partnerColumn, Short, Sums } from "../../_components/lists/table.tsx";
import { Data } from "../../_words/trans.tsx";
import { SafeBadge } from "./safe-badge.tsx";
import type { COLUMNS } from "./words.ts";

type Translations = typeof COLUMNS;

export type Row = Answers["members"]["list"]["data"][number];

export function columnsFor(isOperator: boolean, t: Translations): Column<Row>[] {
  return [
    {
      id: "member",
      header: t.member,
      pinned: true,
      card: 1.1,
      cell: ({ member: { id, external_user_id } }) => (
        <Link href={`/console/members/${id}`} className="short" title={external_user_id} translate="no">
          {external_user_id}
        </Link>
      ),
    },
    ...partnerColumn<Row>(isOperator, 3.2, t),
    {
      id: "name",
      header: t.name,
      card: 2.1,
      cell: ({ member: { name } }) => <Short text={name} />,
      inCard: ({ member: { name, phone } }) => <Data>{name ?? phone}</Data>,
    },
    { id: "phone", header: t.phone, cell: ({ member: { phone } }) => <Data>{phone}</Data> },
    { id: "safe", header: t.safe, cell: ({ member: { safe_status } }) => <SafeBadge status={safe_status} />, card: 3.1 },
    {
      id: "wallet",
      header: t.wallet,
      cell: ({ member: { wallet_address } }) => (wallet_address === null ? <None /> : <Id value={wallet_address} what={t.theWallet} />),
    },
    { id: "volume", header: t.volume, align: "end", cell: ({ volume }) => <Sums of={volume} />, card: 2.2 },
    { id: "created", header: t.created, cell: ({ member: { created_at } }) => <Time at={created_at} />, card: 1.2 },
  ];
}
