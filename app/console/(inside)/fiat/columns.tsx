import type { ReactNode } from "react";
import type { Answers } from "#server/console/router.ts";
import { Link } from "../../_components/controls/link.tsx";
import { Id, Time } from "../../_components/controls/values.tsx";
import { type Column, moneyColumn, None, partnerColumn, Short } from "../../_components/lists/table.tsx";
import type { WithShared } from "../../_words/shared.ts";
import { TopupBadge, WithdrawalBadge } from "./order-badge.tsx";
import type { COLUMNS } from "./words.ts";

type Translations = WithShared<typeof COLUMNS>;

export type WithdrawalRow = Answers["fiat"]["withdrawals"]["data"][number];
export type TopupRow = Answers["fiat"]["topups"]["data"][number];

type Any = Pick<WithdrawalRow, "partner" | "member" | "amounts">;
/** The common fields, whose names differ between the two kinds. */
type Kind<Row> = {
  path: string;
  order: (row: Row) => { id: string; external_id: string; currency: string; created_at: string; completed_at: string | null };
  crypto: (row: Row) => string;
  account: (row: Row) => string;
  badge: (row: Row) => ReactNode;
};

const WITHDRAWAL: Kind<WithdrawalRow> = {
  path: "withdrawals",
  order: ({ withdrawal }) => withdrawal,
  crypto: ({ withdrawal }) => withdrawal.source_currency,
  account: ({ withdrawal }) => withdrawal.destination.account,
  badge: (row) => <WithdrawalBadge {...row} />,
};
const TOPUP: Kind<TopupRow> = {
  path: "topups",
  order: ({ topup }) => topup,
  crypto: ({ topup }) => topup.destination_currency,
  account: ({ topup }) => topup.source.account,
  badge: (row) => <TopupBadge {...row} />,
};

export const withdrawalColumns = (isOperator: boolean, t: Translations) => columnsOf(WITHDRAWAL, isOperator, t);
export const topupColumns = (isOperator: boolean, t: Translations) => columnsOf(TOPUP, isOperator, t);

function columnsOf<Row extends Any>({ path, order, ...kind }: Kind<Row>, isOperator: boolean, t: Translations): Column<Row>[] {
  const what = path === "topups" ? t.topUpNoun : t.withdrawalNoun;
  const idOf = (row: Row, copy: boolean) => (
    <Id value={order(row).id} what={what} href={`/console/fiat/${path}/${order(row).id}`} copy={copy} />
  );
  return [
    { id: "status", header: t.status, pinned: true, cell: kind.badge, card: 1.1 },
    {
      id: "id",
      header: path === "topups" ? t.topUp : t.withdrawal,
      card: 3.1,
      cell: (row) => idOf(row, true),
      inCard: (row) => idOf(row, false),
    },
    ...partnerColumn<Row>(isOperator, 3.2, t),
    { id: "member", header: t.member, cell: (row) => memberOf(row, t) },
    { id: "external", header: t.externalId, cell: (row) => <Short text={order(row).external_id} /> },
    moneyColumn("amount", t.amount, (row) => [row.amounts.amount, order(row).currency], { card: 2.1 }),
    moneyColumn("crypto", t.crypto, (row) => [row.amounts.crypto, kind.crypto(row)], { card: 2.2, aside: true }),
    { id: "account", header: t.account, spare: true, cell: (row) => <Short text={kind.account(row)} /> },
    { id: "created", header: t.created, cell: (row) => <Time at={order(row).created_at} />, card: 1.2 },
    { id: "completed", header: t.completed, spare: true, cell: (row) => completed(order(row).completed_at) },
  ];
}

function memberOf({ member }: Any, t: Translations) {
  if (member === null) return <span className="muted">{t.partnersOwnSafe}</span>;
  return (
    <Link href={`/console/members/${member.id}`} className="short" title={member.external_user_id} translate="no">
      {member.name ?? member.external_user_id}
    </Link>
  );
}

function completed(at: string | null) {
  return at === null ? <None /> : <Time at={at} />;
}
