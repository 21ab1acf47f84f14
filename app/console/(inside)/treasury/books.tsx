import { useQuery } from "@tanstack/react-query";
import { Check, TriangleAlert } from "lucide-react";
import { Badge, Time } from "../../_components/controls/values.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Empty, Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { type Column, moneyColumn, None, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Served } from "../../_words/served.tsx";
import { Data, Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import type { LedgerLine, Reconciliation } from "./answers.ts";
import { laneName } from "./halts.tsx";
import { BOOKS, HALTS } from "./words.ts";

type Says = typeof BOOKS;

/** What the ledger says of every account, and whether ledger, records and chains agreed, day by day. */
export function Books() {
  const says = useWords(BOOKS);
  const halts = useWords(HALTS);
  const trpc = useTRPC();
  const books = useQuery(trpc.treasury.books.queryOptions());
  if (books.isPending) return <Skeleton />;
  if (!books.data) return <Trouble error={books.error} onRetry={() => void books.refetch()} />;
  const { balances, reconciliations, lifted } = books.data;
  return (
    <>
      {lifted.length > 0 && (
        <Section title={says.liftedHalts}>
          <ul>
            {lifted.map(({ id, words, lifted_at, lift_reason, by_two, ...lane }) => (
              <li key={id}>
                <Told
                  sentence={says.lifted(by_two)}
                  lane={laneName(lane, halts)}
                  words={<Served>{words}</Served>}
                  time={lifted_at && <Time at={lifted_at} />}
                  reason={<Data>{lift_reason}</Data>}
                />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title={says.reconciliations}>
        {reconciliations.length === 0 ? (
          <Empty title={says.noneEnded}>
            <p>{says.noneEndedMore}</p>
          </Empty>
        ) : (
          <Table caption={says.reconciliationsCaption} columns={runsOf(says)} rows={reconciliations} keyOf={({ day }) => day} />
        )}
      </Section>
      <Section title={says.ledger}>
        {balances.length === 0 ? (
          <Empty title={says.nothingBooked} />
        ) : (
          <Table
            caption={says.ledgerCaption}
            columns={linesOf(says)}
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

function linesOf(says: Says): Column<LedgerLine>[] {
  return [
    {
      ...{ id: "account", header: says.account, card: 1.1 },
      cell: ({ account }) => <Data>{words(account)}</Data>,
      inCard: ({ account, partner, chain }) => (
        <span>
          <Data>{words(account)}</Data>{" "}
          <span className="muted" translate="no">
            {partner ?? chain}
          </span>
        </span>
      ),
    },
    { id: "partner", header: says.partner, cell: ({ partner }) => (partner === null ? <None /> : <Data>{partner}</Data>) },
    {
      id: "chain",
      header: says.chain,
      cell: ({ chain }) => (chain === null ? <span className="none">{says.fiat}</span> : <Data>{chain}</Data>),
    },
    moneyColumn("amount", says.balance, ({ amount, currency }) => [amount, currency], { card: 1.2 }),
  ];
}

function verdict({ findings: { length } }: Reconciliation, says: Says) {
  if (length === 0) return <Badge word={says.agrees} icon={Check} tone="executed" />;
  return <Badge word={says.differ(length)} icon={TriangleAlert} tone="failed" />;
}

function findingsOf({ findings }: Reconciliation, says: Says) {
  if (findings.length === 0) return <None />;
  return (
    <details>
      <summary>{says.differences}</summary>
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

function runsOf(says: Says): Column<Reconciliation>[] {
  return [
    { id: "day", header: says.day, cell: ({ day }) => day, card: 1.1 },
    { id: "verdict", header: says.result, cell: (run) => verdict(run, says), card: 1.2 },
    { id: "rules", header: says.rules, align: "end", cell: ({ rules }) => rules.toLocaleString("en") },
    { id: "checked", header: says.checks, align: "end", cell: ({ checked }) => checked.toLocaleString("en") },
    { id: "ended", header: says.ended, cell: ({ finished_at }) => <Time at={finished_at} form="absolute" /> },
    {
      ...{ id: "findings", header: says.differences, card: 2 },
      cell: (run) => findingsOf(run, says),
      inCard: (run) => run.findings.length > 0 && findingsOf(run, says),
    },
  ];
}
