import { useQuery } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { Badge, Time } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Empty, Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, None, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import type { LedgerLine, Reconciliation } from "./answers.ts";
import { laneName } from "./halts.tsx";

/** What the ledger says of every account, and whether ledger, records and chains agreed, day by day. */
export function Books() {
  const trpc = useTRPC();
  const books = useQuery(trpc.treasury.books.queryOptions());
  if (books.isPending) return <Skeleton />;
  if (!books.data) return <Trouble error={books.error} onRetry={() => void books.refetch()} />;
  const { balances, reconciliations, lifted } = books.data;
  return (
    <>
      {lifted.length > 0 && (
        <Section title="Lifted halts">
          <ul>
            {lifted.map(({ id, words, lifted_at, lift_reason, by_two, ...lane }) => (
              <li key={id}>
                {laneName(lane)}. {words} Lifted {lifted_at && <Time at={lifted_at} />} by {by_two ? "two people" : "one person"}:{" "}
                {lift_reason}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Reconciliations">
        {reconciliations.length === 0 ? (
          <Empty title="None has ended yet">
            <p>The worker compares ledger, records and chains once each business day.</p>
          </Empty>
        ) : (
          <Table caption="Reconciliations, newest first" columns={RUNS} rows={reconciliations} keyOf={({ day }) => day} />
        )}
      </Section>
      <Section title="Ledger">
        {balances.length === 0 ? (
          <Empty title="Nothing is booked yet" />
        ) : (
          <Table
            caption="Balances of the ledger's accounts, debit above zero"
            columns={LINES}
            rows={balances}
            keyOf={(line) => [line.account, line.partner, line.currency, line.chain].join("/")}
          />
        )}
      </Section>
    </>
  );
}

function words(account: string): string {
  const text = account.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const LINES: Column<LedgerLine>[] = [
  {
    ...{ id: "account", header: "Account", card: 1.1 },
    cell: ({ account }) => words(account),
    inCard: ({ account, partner, chain }) => (
      <span>
        {words(account)} <span className="muted">{partner ?? chain}</span>
      </span>
    ),
  },
  { id: "partner", header: "Partner", cell: ({ partner }) => partner ?? <None /> },
  { id: "chain", header: "Chain", cell: ({ chain }) => chain ?? <span className="none">fiat</span> },
  moneyColumn("amount", "Balance", ({ amount, currency }) => [amount, currency], { card: 1.2 }),
];

function verdict({ findings: { length } }: Reconciliation) {
  if (length === 0) return <Badge word="Agrees" icon={Check} tone="executed" />;
  return <Badge word={length === 1 ? "1 difference" : `${length} differences`} icon={TriangleAlert} tone="failed" />;
}

function findingsOf({ findings }: Reconciliation) {
  if (findings.length === 0) return <None />;
  return (
    <details>
      <summary>Differences</summary>
      <ul>
        {findings.map(({ rule, subject, detail }) => (
          <li key={`${rule} ${subject} ${detail}`}>
            <code>{subject}</code>: {detail} <span className="muted">({rule})</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const RUNS: Column<Reconciliation>[] = [
  { id: "day", header: "Day", cell: ({ day }) => day, card: 1.1 },
  { id: "verdict", header: "Result", cell: verdict, card: 1.2 },
  { id: "rules", header: "Rules", align: "end", cell: ({ rules }) => rules.toLocaleString("en") },
  { id: "checked", header: "Checks", align: "end", cell: ({ checked }) => checked.toLocaleString("en") },
  { id: "ended", header: "Ended", cell: ({ finished_at }) => <Time at={finished_at} form="absolute" /> },
  { id: "findings", header: "Differences", cell: findingsOf, card: 2 },
];
