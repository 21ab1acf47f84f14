import { useQuery } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { Badge, Time } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Empty, ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, None, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, Served, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import type { LedgerLine, Reconciliation } from "./answers.ts";
import { Costs } from "./costs.tsx";
import { scopeName } from "./halts.tsx";
import { BOOKS, HALTS } from "./words.ts";

type Translations = WithShared<typeof BOOKS>;

const AccountDialog = lazyComponent(() => import("./account-dialog.tsx").then(({ AccountDialog: Loaded }) => Loaded));

/** The balance of every account in the ledger, and the results of the daily reconciliation. */
export function Books({ mayOrder }: { mayOrder: boolean }) {
  const t = useTranslations(BOOKS);
  const halts = useTranslations(HALTS);
  const trpc = useTRPC();
  const books = useQuery(trpc.treasury.books.queryOptions());
  const [shown, setShown] = useState<LedgerLine | null>(null);
  if (books.isPending) return <Skeleton />;
  if (!books.data) return <ErrorState error={books.error} onRetry={() => void books.refetch()} />;
  const { balances, reconciliations, lifted } = books.data;
  return (
    <>
      {lifted.length > 0 && (
        <Section title={t.liftedHalts}>
          <ul>
            {lifted.map(({ id, words, lifted_at, lift_reason, by_two, ...halt }) => (
              <li key={id}>
                <Trans
                  sentence={t.liftedLine(by_two)}
                  scope={scopeName(halt, halts)}
                  words={<Served>{words}</Served>}
                  time={lifted_at && <Time at={lifted_at} />}
                  reason={<Data>{lift_reason}</Data>}
                />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={t.reconciliations}>
        {reconciliations.length === 0 ? (
          <Empty title={t.noneEnded} more={t.noneEndedMore} />
        ) : (
          <Table caption={t.reconciliationsCaption} columns={runsOf(t)} rows={reconciliations} keyOf={({ day }) => day} />
        )}
      </Section>
      <Section title={t.ledger}>
        {balances.length === 0 ? (
          <Empty title={t.nothingBooked} />
        ) : (
          <Table
            caption={t.ledgerCaption}
            hidden={IN_CARDS_ONLY}
            columns={linesOf(t, setShown)}
            rows={balances.map((line, index) => ({ ...line, isFirst: line.account !== balances[index - 1]?.account }))}
            keyOf={(line) => [line.account, line.partner, line.currency, line.chain].join("/")}
          />
        )}
      </Section>
      <Costs mayOrder={mayOrder} />
      {shown && <AccountDialog of={shown} onClose={() => setShown(null)} />}
    </>
  );
}

/** In the table, an account's first line shows it below the name. */
const IN_CARDS_ONLY: ReadonlySet<string> = new Set(["means"]);

/** `isFirst`: of its account, so it also explains the account. */
type Line = LedgerLine & { isFirst: boolean };

function linesOf(t: Translations, onOpen: (line: LedgerLine) => void): Column<Line>[] {
  return [
    {
      id: "account",
      header: t.account,
      card: 1.1,
      cell: (line) => <Account line={line} t={t} />,
      inCard: ({ account, partner, chain }) => (
        <span>
          {t.accounts[account].name}{" "}
          <span className="muted" translate="no">
            {partner ?? chain}
          </span>
        </span>
      ),
    },
    { id: "means", header: t.account, card: 2.1, aside: true, cell: ({ account, isFirst }) => isFirst && t.accounts[account].means },
    { id: "partner", header: t.partner, cell: ({ partner }) => (partner === null ? <None /> : <Data>{partner}</Data>) },
    {
      id: "chain",
      header: t.chain,
      cell: ({ chain }) => (chain === null ? <span className="none">{t.fiat}</span> : <Data>{chain}</Data>),
    },
    moneyColumn("amount", t.balance, ({ amount, currency }) => [amount, currency], { card: 1.2 }),
    {
      id: "entries",
      header: "",
      align: "end",
      card: 3.1,
      cell: (line) => (
        <Button look="quiet" onClick={() => onOpen(line)}>
          {t.entries}
          <span className="sr-only"> {t.entriesOf(t.accounts[line.account].name, [line.currency, line.partner ?? line.chain ?? ""])}</span>
        </Button>
      ),
    },
  ];
}

function Account({ line: { account, isFirst }, t }: { line: Line; t: Translations }) {
  const { name, means } = t.accounts[account];
  return (
    <span className="account">
      {isFirst ? <strong>{name}</strong> : <span className="muted">{name}</span>}
      {isFirst && <span className="account-means">{means}</span>}
    </span>
  );
}

function verdict({ findings: { length } }: Reconciliation, t: Translations) {
  if (length === 0) return <Badge word={t.agrees} icon={Check} tone="executed" />;
  return <Badge word={t.differenceCount(length)} icon={TriangleAlert} tone="failed" />;
}

function findingsOf({ findings }: Reconciliation, t: Translations) {
  if (findings.length === 0) return <None />;
  return (
    <details>
      <summary>{t.differences}</summary>
      <ul>
        {findings.map(({ rule, subject, detail }) => (
          <li key={`${rule} ${subject} ${detail}`}>
            <Data>
              <code>{subject}</code>: {detail} <span className="muted">({rule})</span>
            </Data>
          </li>
        ))}
      </ul>
    </details>
  );
}

function runsOf(t: Translations): Column<Reconciliation>[] {
  return [
    { id: "day", header: t.day, cell: ({ day }) => day, card: 1.1 },
    { id: "verdict", header: t.result, cell: (run) => verdict(run, t), card: 1.2 },
    { id: "rules", header: t.rules, align: "end", cell: ({ rules }) => t.format.count(rules) },
    { id: "checked", header: t.checks, align: "end", cell: ({ checked }) => t.format.count(checked) },
    { id: "ended", header: t.ended, cell: ({ finished_at }) => <Time at={finished_at} form="absolute" /> },
    {
      id: "findings",
      header: t.differences,
      card: 2,
      cell: (run) => findingsOf(run, t),
      inCard: (run) => run.findings.length > 0 && findingsOf(run, t),
    },
  ];
}
