import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Id, Time } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Empty, ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../_words/words.ts";
import type { Declared, SuspenseLine, SuspenseOrder } from "./answers.ts";
import { SUSPENSE } from "./suspense-words.ts";

/** The table shows the chain with the movement. */
const IN_CARDS_ONLY: ReadonlySet<string> = new Set(["chain"]);

/** As a party of a movement: not known. */
const NOBODY = `0x${"0".repeat(40)}`;

type Translations = WithShared<typeof SUSPENSE>;

const SuspenseDialog = lazyComponent(() => import("./suspense-dialog.tsx").then(({ SuspenseDialog: Loaded }) => Loaded));

/** Unexplained movements on the chains, and the ways to explain them. */
export function Suspense({ mayOrder }: { mayOrder: boolean }) {
  const t = useTranslations(SUSPENSE);
  const trpc = useTRPC();
  const options = trpc.suspense.list.queryOptions(undefined, { refetchInterval: 10_000 });
  const suspense = useQuery(options);
  const reload = useRefresh(options.queryKey);
  const [order, setOrder] = useState<SuspenseOrder | null>(null);
  useLiveChanges(({ action }) => action.startsWith("treasury.") || action.startsWith("proposal."), reload);
  if (suspense.isPending) return <Skeleton />;
  if (!suspense.data) return <ErrorState error={suspense.error} onRetry={() => void suspense.refetch()} />;
  const { open, explained, declared, tokens } = suspense.data;
  const give = mayOrder ? setOrder : null;
  return (
    <>
      <Section title={t.title} aside={give && <Orders t={t} give={give} tokens={tokens} />}>
        <p className="muted">{t.explained}</p>
        {open.length === 0 ? (
          <Empty title={t.none} more={t.noneMore} />
        ) : (
          <Table caption={t.caption} hidden={IN_CARDS_ONLY} columns={openColumns(t, give, tokens)} rows={open} keyOf={keyOf} />
        )}
      </Section>
      {declared.length > 0 && (
        <Section title={t.declaredTitle}>
          <Table caption={t.declaredCaption} columns={declaredColumns(t)} rows={declared} keyOf={(one) => one.proposal_id} />
        </Section>
      )}
      {explained.length > 0 && (
        <Section title={t.explainedTitle}>
          <Table caption={t.explainedCaption} hidden={IN_CARDS_ONLY} columns={explainedColumns(t)} rows={explained} keyOf={keyOf} />
        </Section>
      )}
      {order && <SuspenseDialog order={order} onClose={() => setOrder(null)} onGiven={reload} />}
    </>
  );
}

type Give = (order: SuspenseOrder) => void;
type Tokens = Extract<SuspenseOrder, { what: "declare" }>["tokens"];

/** Orders that concern no line. */
function Orders({ t, give, tokens }: { t: Translations; give: Give; tokens: Tokens }) {
  return (
    <span className="button-row">
      <Button onClick={() => give({ what: "declare", tokens })}>{t.declare}</Button>
      <Button onClick={() => give({ what: "correct" })}>{t.correct}</Button>
    </span>
  );
}

const keyOf = ({ chain, hash, place, holder }: SuspenseLine) => `${chain} ${hash} ${place} ${holder}`;

function lineColumns(t: Translations): Column<SuspenseLine>[] {
  return [
    {
      id: "movement",
      header: t.movement,
      card: 1.1,
      cell: (line) => (
        <>
          {movementOf(line, t)}
          <div className="muted">
            <Data>{line.chain}</Data>
          </div>
        </>
      ),
      inCard: (line) => movementOf(line, t),
    },
    moneyColumn("amount", t.amount, ({ amount, currency }) => [amount, currency], { card: 1.2 }),
    { id: "chain", header: t.chain, cell: ({ chain }) => <Data>{chain}</Data>, card: 3.1, aside: true },
    { id: "from", header: t.from, cell: ({ sender }) => <Party t={t} address={sender} what={t.sender} /> },
    { id: "to", header: t.to, cell: ({ recipient }) => <Party t={t} address={recipient} what={t.recipient} /> },
    { id: "hash", header: t.transaction, cell: (line) => <Transaction t={t} line={line} />, card: 3.2 },
  ];
}

function movementOf({ holder, direction, part }: SuspenseLine, t: Translations) {
  return part === "fee" ? t.fee : t.directions[holder][direction];
}

/** Contracts and fees have no address. */
function Party({ t, address, what }: { t: Translations; address: string; what: string }) {
  return address === NOBODY ? <span className="muted">{t.unknown}</span> : <Id value={address} what={what} />;
}

/** What moved inside contracts is named by its block. */
function Transaction({ t, line }: { t: Translations; line: SuspenseLine }) {
  if (line.part !== "inside") return <Id value={line.hash} what={t.transactionNoun} />;
  return (
    <>
      <span className="muted">{t.inBlock}</span> <Id value={line.hash} what={t.block} />
    </>
  );
}

function openColumns(t: Translations, give: Give | null, tokens: Tokens): Column<SuspenseLine>[] {
  const orders = (line: SuspenseLine): [label: string, order: SuspenseOrder] | null => {
    if (line.state !== "booked") return null;
    if (line.holder === "safe" || line.direction === "within") return [t.explain, { what: "explain", line }];
    return line.direction === "in" ? [t.declare, { what: "declare", tokens, line }] : [t.lose, { what: "lose", line }];
  };
  const found: Column<SuspenseLine> = {
    id: "found",
    header: t.found,
    card: 2.1,
    cell: ({ found_at: at, state }) => (
      <>
        <Time at={at} /> {state === "seen" && <span className="muted">{t.seen}</span>}
      </>
    ),
  };
  if (give === null) return [...lineColumns(t), found];
  const action: Column<SuspenseLine> = {
    id: "order",
    header: "",
    align: "end",
    card: 4.1,
    cell: (line) => {
      const [label, order] = orders(line) ?? [];
      return order && <Button onClick={() => give(order)}>{label}</Button>;
    },
  };
  return [...lineColumns(t), found, action];
}

function explainedColumns(t: Translations): Column<SuspenseLine>[] {
  return [...lineColumns(t), { id: "as", header: t.as, card: 2.1, cell: ({ resolution }) => resolution && t.resolutions[resolution] }];
}

function declaredColumns(t: Translations): Column<Declared>[] {
  return [
    moneyColumn("amount", t.amount, ({ amount, currency }) => [amount, currency], { card: 1.2 }),
    { id: "chain", header: t.chain, cell: ({ chain }) => <Data>{chain}</Data>, card: 1.1 },
    { id: "hash", header: t.transaction, cell: ({ hash }) => <Id value={hash} what={t.transactionNoun} />, card: 2.1 },
  ];
}
