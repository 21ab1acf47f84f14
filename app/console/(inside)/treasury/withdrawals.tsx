import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Id, Time } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data, Served, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { SignAboveCap } from "../settlements/[tx_id]/sign-above-cap.tsx";
import type { TreasuryWithdrawal, WithdrawalOrder } from "./answers.ts";
import { WITHDRAWALS } from "./withdrawal-words.ts";

type Translations = WithShared<typeof WITHDRAWALS>;
type Give = (order: WithdrawalOrder) => void;

const WithdrawalDialog = lazyComponent(() => import("./withdrawal-dialog.tsx").then(({ WithdrawalDialog: Loaded }) => Loaded));

const MOVES = ["treasury.", "transfer."];

/** Crypto that the operator takes out of its wallets: what is proposed, signed and paid. */
export function Withdrawals({ mayOrder }: { mayOrder: boolean }) {
  const t = useTranslations(WITHDRAWALS);
  const options = useTRPC().treasuryWithdrawals.list.queryOptions(undefined, { refetchInterval: 10_000 });
  const list = useQuery(options);
  const reload = useRefresh(options.queryKey);
  const [order, setOrder] = useState<WithdrawalOrder | null>(null);
  useLiveChanges(({ action }) => MOVES.some((prefix) => action.startsWith(prefix)), reload);
  const places = list.data?.places ?? [];
  const propose = mayOrder && places.length > 0 && <Button onClick={() => setOrder({ what: "propose", places })}>{t.propose}</Button>;
  return (
    <Section title={t.title} aside={propose}>
      <p className="muted">{t.explained}</p>
      <QueryBoundary of={list} waiting={<Skeleton rows={3} />}>
        {({ data, needed }) =>
          data.length === 0 ? (
            <Empty title={t.none} more={places.length === 0 ? t.noPlace : t.noneMore} />
          ) : (
            <Table
              caption={t.caption}
              columns={columnsOf(t, { needed, give: mayOrder ? setOrder : null, reload })}
              rows={data}
              keyOf={({ id }) => id}
            />
          )
        }
      </QueryBoundary>
      {order && <WithdrawalDialog order={order} onClose={() => setOrder(null)} onGiven={reload} />}
    </Section>
  );
}

type Means = { needed: number; give: Give | null; reload: () => void };

function columnsOf(t: Translations, { needed, give, reload }: Means): Column<TreasuryWithdrawal>[] {
  const columns: Column<TreasuryWithdrawal>[] = [
    moneyColumn<TreasuryWithdrawal>("amount", t.amount, ({ amount, currency }) => [amount, currency], { card: 1.1 }),
    {
      id: "state",
      header: t.state,
      card: 1.2,
      cell: (one) => <State t={t} withdrawal={one} needed={needed} />,
      inCard: ({ state }) => t.states[state],
    },
    { id: "from", header: t.from, card: 2.1, cell: (one) => <From t={t} withdrawal={one} /> },
    { id: "to", header: t.to, card: 3.1, cell: ({ recipient }) => <Id value={recipient} what={t.destination} /> },
    { id: "people", header: t.people, card: 4.1, cell: (one) => <People t={t} withdrawal={one} /> },
    {
      id: "transaction",
      header: t.transaction,
      card: 5.1,
      cell: ({ tx_hash: hash }) => hash !== null && <Id value={hash} what={t.transactionNoun} />,
    },
  ];
  if (give === null) return columns;
  return [
    ...columns,
    { id: "orders", header: "", align: "end", card: 6.1, cell: (one) => <Orders t={t} withdrawal={one} give={give} reload={reload} /> },
  ];
}

type Part = { t: Translations; withdrawal: TreasuryWithdrawal };

function State({ t, withdrawal, needed }: Part & { needed: number }) {
  const { state, failure_reason: failure, waiting_reason: waits, signed_by: signed } = withdrawal;
  const why = state === "owed" ? waits : failure;
  return (
    <>
      {t.states[state]}
      {state === "proposed" && <div className="muted">{t.signed(signed.length, needed)}</div>}
      {why !== null && (
        <div className="muted">
          <Served>{why}</Served>
        </div>
      )}
    </>
  );
}

function From({ t, withdrawal: { wallet_address: wallet, chain } }: Part) {
  return (
    <>
      <Id value={wallet} what={t.sender} />
      <div className="muted">
        <Data>{chain}</Data>
      </div>
    </>
  );
}

function People({ t, withdrawal: { proposed_by: name, proposed_at: at, signed_by: signers, reason } }: Part) {
  return (
    <>
      <Trans sentence={t.proposedBy} name={<Data>{name}</Data>} time={<Time at={at} />} />
      {signers.length > 0 && (
        <div>
          <Trans sentence={t.signedBy} names={<Data>{signers.join(", ")}</Data>} />
        </div>
      )}
      <div className="muted">
        <Data>{reason}</Data>
      </div>
    </>
  );
}

function Orders({ t, withdrawal, give, reload }: Part & { give: Give; reload: () => void }) {
  const { state, amount, currency, transfer_id: transferId, cap_period: period } = withdrawal;
  const money = `${amount} ${currency}`;
  if (state === "proposed")
    return (
      <span className="button-row">
        {!withdrawal.is_signed_by_asker && (
          <Button onClick={() => give({ what: "sign", withdrawal })} aria-label={t.signOne(money)}>
            {t.sign}
          </Button>
        )}
        <Button onClick={() => give({ what: "reject", withdrawal })} aria-label={t.rejectOne(money)}>
          {t.reject}
        </Button>
      </span>
    );
  if (state !== "owed" || transferId === null) return null;
  return (
    <>
      {period !== null && <SignAboveCap transferId={transferId} period={period} onSigned={reload} />}
      <Button onClick={() => give({ what: "cancel", withdrawal })} aria-label={t.cancelOne(money)}>
        {t.cancel}
      </Button>
    </>
  );
}
