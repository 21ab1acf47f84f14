import { type ChangeEvent, useState } from "react";
import { fiatAmount } from "#domain/money.ts";
import { compareRows, minorOfFile, type OurRow, type OwnRow, type RowDifference } from "#domain/month-statement.ts";
import { readTable } from "#domain/table-file.ts";
import type { Answers } from "#server/console/router.ts";
import { TextField } from "../../_components/controls/field.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Progress } from "../../_components/controls/progress.tsx";
import { useParts } from "../../_components/controls/use-parts.ts";
import { Money } from "../../_components/controls/values.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note, Section } from "../../_components/frame/page-parts.tsx";
import { type Column, None, Table } from "../../_components/lists/table.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { OWN_FILE } from "./words.ts";

type Executed = Answers["statements"]["executed"];
type Row = Executed["data"][number];
/** A part of the month (`months`: of how many), or of the file up to that row. */
type Part = { of: "month" | "file"; data: readonly Row[]; months: number; next: Executed["next"]; upTo: number };
type Compared = { rows: number; executed: number; differences: readonly RowDifference[] };
type Translations = WithShared<typeof OWN_FILE>;

const COLUMNS = ["reference", "amount", "currency"] as const;
const MOST_ROWS = 50_000;
const PART = 500;

/** A partner's own file against the month: every row that differs is named. Nothing is kept. */
export function OwnFile({ month, partnerId }: { month: string; partnerId: string | null }) {
  const t = useTranslations(OWN_FILE);
  const { statements } = useTRPCClient();
  const { run, error, pending, forgive } = useConfirmedMutation();
  const parts = useParts();
  const [fault, setFault] = useState<string | null>(null);
  const [compared, setCompared] = useState<Compared | null>(null);
  const whole = { month, partner_id: partnerId };
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    setCompared(null);
    setFault(null);
    forgive();
    if (chosen === undefined) return;
    try {
      const rows = rowsOf(await chosen.text(), t);
      await run(() => compare(rows), setCompared);
    } catch (refused) {
      if (!(refused instanceof RangeError)) throw refused;
      setFault(refused.message);
    }
    // The same file may be chosen again.
    target.value = "";
  };
  /** First what the month paid out, then what the file names, part after part; null: somebody ended it. */
  const compare = async (rows: readonly OwnRow[]): Promise<Compared | null> => {
    const read = await parts.walk<Part>({
      ask: async (last) => {
        if (last === null || last.next !== null) {
          const { data, of, next } = await statements.executed.query({ ...whole, after: last?.next ?? null });
          return { of: "month", data, months: of, next, upTo: 0 };
        }
        const names = rows.slice(last.upTo, last.upTo + PART).map(({ name }) => name);
        const { data } = await statements.named.mutate({ ...whole, names });
        return { of: "file", data, months: last.months, next: null, upTo: last.upTo + names.length };
      },
      reach: (all) => {
        const { upTo, months, next } = all.at(-1) ?? { upTo: 0, months: 0, next: null };
        return { done: dataOf(all, "month").length + upTo, of: months + rows.length, more: next !== null || upTo < rows.length };
      },
    });
    if (read === null) return null;
    const executed = dataOf(read, "month");
    return { rows: rows.length, executed: executed.length, differences: compareRows(rows, dataOf(read, "file"), executed) };
  };
  return (
    <Section title={t.title}>
      <p className="muted section-lead">
        <Trans sentence={t.explained} columns={<code translate="no">{COLUMNS.join(", ")}</code>} />
      </p>
      <div className="form">
        <TextField
          label={t.choose}
          type="file"
          accept=".csv,text/csv,text/plain"
          disabled={pending}
          error={fault ?? undefined}
          onChange={(event) => void choose(event)}
        />
      </div>
      {parts.reached !== null && <Progress {...parts.reached} what={t.rows} onCancel={parts.cancel} />}
      {error !== null && <Refused error={error} />}
      {compared !== null && <Verdict {...compared} />}
    </Section>
  );
}

function Verdict({ rows, executed, differences }: Compared) {
  const t = useTranslations(OWN_FILE);
  return (
    <div role="status">
      <Note {...(differences.length > 0 && { kind: "warning" as const })}>
        {t.compared(rows)} {differences.length === 0 ? t.allSame(executed) : t.differ(differences.length)}
      </Note>
      {differences.length > 0 && (
        <Table caption={t.caption} columns={columnsOf(t)} rows={differences} keyOf={({ kind, name }) => `${kind} ${name}`} />
      )}
    </div>
  );
}

/** @throws RangeError with a sentence for a file that cannot be compared */
function rowsOf(text: string, t: Translations): OwnRow[] {
  return readTable(text, COLUMNS, MOST_ROWS).map(({ reference, amount, currency }, index) => {
    if (reference === "") throw new RangeError(t.wrongReference(index + 1));
    if (!/^\d{1,16}(\.\d{1,6})?$/.test(amount)) throw new RangeError(t.wrongAmount(index + 1));
    if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(t.wrongCurrency(index + 1));
    return { name: reference, minor: minorOfFile(amount, currency), currency };
  });
}

const ourRow = ({ id, external_tx_id, status, currency, is_in_month, minor }: Row): OurRow => ({
  id,
  externalTxId: external_tx_id,
  status,
  currency,
  isInMonth: is_in_month,
  minor: BigInt(minor),
});

const dataOf = (parts: readonly Part[], of: Part["of"]) => parts.flatMap((part) => (part.of === of ? part.data.map(ourRow) : []));

const shown = (side: { minor: bigint; currency: string } | null) =>
  side === null || side.minor < 0n ? <None /> : <Money amount={fiatAmount(side.minor, side.currency)} currency={side.currency} />;

function columnsOf(t: Translations): Column<RowDifference>[] {
  return [
    {
      id: "reference",
      header: t.externalId,
      pinned: true,
      card: 1,
      cell: ({ name, ours }) =>
        ours === null ? (
          <Data>{name}</Data>
        ) : (
          <Link href={`/console/settlements/${ours.id}`} translate="no">
            {name}
          </Link>
        ),
    },
    { id: "what", header: t.what, card: 2, cell: ({ kind }) => t.kinds[kind] },
    { id: "yours", header: t.yours, align: "end", card: 3, cell: ({ own }) => shown(own) },
    { id: "ours", header: t.ours, align: "end", card: 3.1, cell: ({ ours }) => shown(ours) },
  ];
}
