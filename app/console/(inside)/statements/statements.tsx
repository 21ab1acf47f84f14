"use client";

import { useQuery } from "@tanstack/react-query";
import type { Answers } from "#server/console/router.ts";
import { Select, TextField } from "../../_components/controls/field.tsx";
import { Money } from "../../_components/controls/values.tsx";
import { Note, PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { named } from "../../_components/lists/filters.ts";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, Table } from "../../_components/lists/table.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { OwnFile } from "./own-file.tsx";
import { monthOf, STATEMENT_PARAMS } from "./search-params.ts";
import { PAGE, STATEMENTS } from "./words.ts";

type Month = Answers["statements"]["month"];
type Account = Month["accounts"][number];
type Day = Month["days"][number];
type Translations = WithShared<typeof STATEMENTS>;

/** A month of one partner: balances, days, whether they tie to the ledger, and the partner's own file. */
export function Statements({ isOperator }: { isOperator: boolean }) {
  const [t, page] = [useTranslations(STATEMENTS), useTranslations(PAGE)];
  const trpc = useTRPC();
  const [params, setParams] = useAddressParams(STATEMENT_PARAMS, "replace");
  const month = monthOf(params.month);
  const { data: choices } = useQuery(trpc.settlements.choices.queryOptions());
  const isChosen = !isOperator || params.partner !== null;
  return (
    <>
      <PageHeader title={page.title} />
      <div className="field-row statement-choice">
        <TextField
          label={t.month}
          hint={t.monthHint}
          type="month"
          value={month}
          onChange={({ target }) => setParams({ month: target.value || null })}
        />
        {isOperator && (
          <Select
            label={t.partner}
            choices={[{ value: "", label: t.chooseOne }, ...named(choices?.partners ?? [])]}
            value={params.partner ?? ""}
            onChange={({ target }) => setParams({ partner: target.value || null })}
          />
        )}
      </div>
      {isChosen ? (
        <OneMonth key={`${month} ${params.partner}`} month={month} partnerId={isOperator ? params.partner : null} />
      ) : (
        <Empty title={t.choosePartner} />
      )}
    </>
  );
}

function OneMonth({ month, partnerId }: { month: string; partnerId: string | null }) {
  const t = useTranslations(STATEMENTS);
  const query = useQuery(useTRPC().statements.month.queryOptions({ month, partner_id: partnerId }));
  return (
    <>
      <QueryBoundary of={query} waiting={<Skeleton rows={6} />}>
        {({ accounts, days, ties }) => (
          <>
            <Section title={t.balances} aside={<span className="muted">{t.balanceExplained}</span>}>
              {accounts.length === 0 ? (
                <Empty title={t.noBalance} />
              ) : (
                <Table
                  caption={t.balancesCaption}
                  columns={accountColumns(t)}
                  rows={accounts}
                  keyOf={({ currency, chain }) => `${currency} ${chain}`}
                />
              )}
            </Section>
            <Section title={t.days}>
              {days.length === 0 ? (
                <Empty title={t.none} />
              ) : (
                <Table
                  caption={t.daysCaption}
                  columns={dayColumns(t)}
                  rows={days}
                  keyOf={({ day, source_currency, destination_currency }) => `${day} ${source_currency} ${destination_currency}`}
                />
              )}
              {ties.map((tie) => (
                <Tie key={tie.currency} tie={tie} />
              ))}
            </Section>
          </>
        )}
      </QueryBoundary>
      <OwnFile month={month} partnerId={partnerId} />
    </>
  );
}

/** Whether the days of a currency add up to what the ledger has. */
function Tie({ tie: { currency, settled, posted, same } }: { tie: Month["ties"][number] }) {
  const t = useTranslations(STATEMENTS);
  if (same)
    return (
      <p>
        <Trans sentence={t.ties} amount={<Money amount={settled} currency={currency} />} />
      </p>
    );
  return (
    <Note kind="danger">
      <Trans
        sentence={t.differs}
        settled={<Money amount={settled} currency={currency} />}
        posted={<Money amount={posted} currency={currency} />}
      />
    </Note>
  );
}

function accountColumns(t: Translations): Column<Account>[] {
  return [
    {
      id: "currency",
      header: t.currency,
      pinned: true,
      card: 1,
      cell: ({ currency, chain }) => <Data>{chain === null ? currency : `${currency}, ${chain}`}</Data>,
    },
    moneyColumn("opening", t.opening, ({ opening, currency }) => [opening, currency], { card: 2 }),
    moneyColumn("closing", t.closing, ({ closing, currency }) => [closing, currency], { card: 2.1 }),
  ];
}

function dayColumns(t: Translations): Column<Day>[] {
  return [
    { id: "day", header: t.day, pinned: true, card: 1, cell: ({ day }) => <time dateTime={day}>{t.format.dayOf(day)}</time> },
    {
      id: "pair",
      header: t.pair,
      card: 1.1,
      cell: ({ source_currency, destination_currency }) => <Data>{`${source_currency} → ${destination_currency}`}</Data>,
    },
    {
      id: "executed",
      header: t.executed,
      align: "end",
      card: 2,
      cell: ({ executed }) => t.format.count(executed),
      inCard: ({ executed }) => `${t.executed}: ${t.format.count(executed)}`,
    },
    { id: "failed", header: t.failed, align: "end", cell: ({ failed }) => t.format.count(failed) },
    moneyColumn("source", t.sourceAmount, (day) => [day.source, day.source_currency], { card: 2.1 }),
    moneyColumn("gross", t.gross, (day) => [day.gross, day.destination_currency], { spare: true }),
    moneyColumn("fee", t.fee, (day) => [day.fee, day.destination_currency], {}),
    moneyColumn("net", t.net, (day) => [day.net, day.destination_currency], { card: 3 }),
  ];
}
