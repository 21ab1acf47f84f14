import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { Id } from "../../_components/controls/id.tsx";
import { Money } from "../../_components/controls/money.tsx";
import { Time } from "../../_components/controls/time.tsx";
import type { Column } from "../../_components/lists/table.tsx";
import { None, Short } from "../../_components/lists/words.tsx";
import { TopupBadge, WithdrawalBadge } from "./order-badge.tsx";

export type WithdrawalRow = Answers["fiat"]["withdrawals"]["data"][number];
export type TopupRow = Answers["fiat"]["topups"]["data"][number];

type Any = Pick<WithdrawalRow, "partner" | "member" | "amounts">;
/** What both kinds have under different names. */
type Kind<Row> = {
  path: string;
  what: string;
  order: (row: Row) => { id: string; external_id: string; currency: string; created_at: string; completed_at: string | null };
  crypto: (row: Row) => string;
  account: (row: Row) => string;
  badge: (row: Row) => React.ReactNode;
};

const WITHDRAWAL: Kind<WithdrawalRow> = {
  path: "withdrawals",
  what: "withdrawal",
  order: ({ withdrawal }) => withdrawal,
  crypto: ({ withdrawal }) => withdrawal.source_currency,
  account: ({ withdrawal }) => withdrawal.destination.account,
  badge: ({ step, ambiguous_since }) => <WithdrawalBadge step={step} ambiguousSince={ambiguous_since} />,
};
const TOPUP: Kind<TopupRow> = {
  path: "topups",
  what: "top-up",
  order: ({ topup }) => topup,
  crypto: ({ topup }) => topup.destination_currency,
  account: ({ topup }) => topup.source.account,
  badge: ({ step, ambiguous_since }) => <TopupBadge step={step} ambiguousSince={ambiguous_since} />,
};

export const withdrawalColumns = (isOperator: boolean) => columnsOf(WITHDRAWAL, isOperator);
export const topupColumns = (isOperator: boolean) => columnsOf(TOPUP, isOperator);

function columnsOf<Row extends Any>(kind: Kind<Row>, isOperator: boolean): Column<Row>[] {
  const { order } = kind;
  return [
    { id: "status", header: "Status", pinned: true, cell: kind.badge },
    { id: "id", header: kind.path === "topups" ? "Top-up" : "Withdrawal", cell: (row) => <OrderId kind={kind} row={row} /> },
    ...(isOperator ? [{ id: "partner", header: "Partner", cell: ({ partner }: Row) => partner.name }] : []),
    { id: "member", header: "Member", cell: ({ member }) => <Member member={member} /> },
    { id: "external", header: "External id", cell: (row) => <Short text={order(row).external_id} /> },
    {
      id: "amount",
      header: "Amount",
      align: "end",
      cell: (row) => <Money amount={row.amounts.amount} currency={order(row).currency} />,
    },
    {
      id: "crypto",
      header: "Crypto",
      align: "end",
      cell: (row) => <Money amount={row.amounts.crypto} currency={kind.crypto(row)} />,
    },
    { id: "account", header: "Account", cell: (row) => <Short text={kind.account(row)} /> },
    { id: "created", header: "Created", cell: (row) => <Time at={order(row).created_at} /> },
    { id: "completed", header: "Completed", cell: (row) => <Completed at={order(row).completed_at} /> },
  ];
}

export function WithdrawalCard({ row, isOperator }: { row: WithdrawalRow; isOperator: boolean }) {
  return <Card kind={WITHDRAWAL} row={row} isOperator={isOperator} />;
}
export function TopupCard({ row, isOperator }: { row: TopupRow; isOperator: boolean }) {
  return <Card kind={TOPUP} row={row} isOperator={isOperator} />;
}

/** A row on a phone. */
function Card<Row extends Any>({ kind, row, isOperator }: { kind: Kind<Row>; row: Row; isOperator: boolean }) {
  const { currency, created_at } = kind.order(row);
  return (
    <>
      <div className="card-line">
        {kind.badge(row)}
        <Time at={created_at} />
      </div>
      <div className="card-line">
        <Money amount={row.amounts.amount} currency={currency} />
        <span className="muted">
          <Money amount={row.amounts.crypto} currency={kind.crypto(row)} />
        </span>
      </div>
      <div className="card-line">
        <OrderId kind={kind} row={row} copy={false} />
        {isOperator && <span className="muted short">{row.partner.name}</span>}
      </div>
    </>
  );
}

function OrderId<Row>({ kind, row, copy = true }: { kind: Kind<Row>; row: Row; copy?: boolean }) {
  const { id } = kind.order(row);
  return <Id value={id} what={kind.what} href={`/console/fiat/${kind.path}/${id}`} copy={copy} />;
}

function Member({ member }: Pick<Any, "member">) {
  if (member === null) return <span className="muted">Partner's own Safe</span>;
  return (
    <Link href={`/console/members/${member.id}`} className="short" title={member.external_user_id}>
      {member.name ?? member.external_user_id}
    </Link>
  );
}

function Completed({ at }: { at: string | null }) {
  return at === null ? <None /> : <Time at={at} />;
}
