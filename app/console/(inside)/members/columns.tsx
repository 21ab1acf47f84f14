import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { Id } from "../../_components/controls/id.tsx";
import { Money } from "../../_components/controls/money.tsx";
import { Time } from "../../_components/controls/time.tsx";
import type { Column } from "../../_components/lists/table.tsx";
import { None, Short } from "../../_components/lists/words.tsx";
import { SafeBadge } from "./safe-badge.tsx";

export type Row = Answers["members"]["list"]["data"][number];

const member: Column<Row> = {
  id: "member",
  header: "Member",
  pinned: true,
  cell: (row) => <Name row={row} />,
};
const partner: Column<Row> = { id: "partner", header: "Partner", cell: ({ partner: { name } }) => name };
const rest: readonly Column<Row>[] = [
  { id: "name", header: "Name", cell: ({ member: { name } }) => <Short text={name} /> },
  { id: "phone", header: "Phone", cell: ({ member: { phone } }) => phone },
  { id: "safe", header: "Safe", cell: ({ member: { safe_status } }) => <SafeBadge status={safe_status} /> },
  {
    id: "wallet",
    header: "Wallet",
    cell: ({ member: { wallet_address } }) => (wallet_address === null ? <None /> : <Id value={wallet_address} what="wallet" />),
  },
  { id: "volume", header: "30-day volume", align: "end", cell: (row) => <Volume row={row} /> },
  { id: "created", header: "Created", cell: ({ member: { created_at } }) => <Time at={created_at} /> },
];

export function columnsFor(isOperator: boolean): Column<Row>[] {
  return isOperator ? [member, partner, ...rest] : [member, ...rest];
}

function Name({ row: { member: each } }: { row: Row }) {
  return (
    <Link href={`/console/members/${each.id}`} className="short" title={each.external_user_id}>
      {each.external_user_id}
    </Link>
  );
}

/** Topped up and withdrawn within thirty days, each currency by itself. */
export function Volume({ row: { volume } }: { row: Pick<Row, "volume"> }) {
  if (volume.length === 0) return <None />;
  return (
    <span className="volumes">
      {volume.map(({ currency, amount }) => (
        <Money key={currency} amount={amount} currency={currency} />
      ))}
    </span>
  );
}

/** A row on a phone. */
export function Card({ row, isOperator }: { row: Row; isOperator: boolean }) {
  const { member: each } = row;
  return (
    <>
      <div className="card-line">
        <Name row={row} />
        <Time at={each.created_at} />
      </div>
      <div className="card-line">
        <span>{each.name ?? each.phone}</span>
        <Volume row={row} />
      </div>
      <div className="card-line">
        <SafeBadge status={each.safe_status} />
        {isOperator && <span className="muted short">{row.partner.name}</span>}
      </div>
    </>
  );
}
