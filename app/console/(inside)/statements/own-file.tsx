import { type ChangeEvent, useState } from "react";
import { readTable } from "#domain/table-file.ts";
import type { Answers } from "#server/console/router.ts";
import { TextField } from "../../_components/controls/field.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Money } from "../../_components/controls/values.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Note, Section } from "../../_components/frame/page-parts.tsx";
import { type Column, None, Table } from "../../_components/lists/table.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { OWN_FILE } from "./words.ts";

type Compared = Answers["statements"]["compare"];
type Difference = Compared["differences"][number];
type Translations = WithShared<typeof OWN_FILE>;

const COLUMNS = ["reference", "amount", "currency"] as const;
const MOST_ROWS = 5_000;

/** A partner's own file against the month: every row that differs is named. Nothing is kept. */
export function OwnFile({ month, partnerId }: { month: string; partnerId: string | null }) {
  const t = useTranslations(OWN_FILE);
  const client = useTRPCClient();
  const { run, error, pending, forgive } = useConfirmedMutation();
  const [fault, setFault] = useState<string | null>(null);
  const [compared, setCompared] = useState<{ rows: number; answer: Compared } | null>(null);
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    setCompared(null);
    setFault(null);
    forgive();
    if (chosen === undefined) return;
    try {
      const rows = rowsOf(await chosen.text(), t);
      await run(
        () => client.statements.compare.mutate({ month, partner_id: partnerId, rows }),
        (answer) => setCompared({ rows: rows.length, answer }),
      );
    } catch (refused) {
      if (!(refused instanceof RangeError)) throw refused;
      setFault(refused.message);
    }
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
      {error !== null && <Refused error={error} />}
      {compared !== null && <Verdict {...compared} />}
    </Section>
  );
}

function Verdict({ rows, answer: { executed, is_partial: isPartial, differences } }: { rows: number; answer: Compared }) {
  const t = useTranslations(OWN_FILE);
  return (
    <div role="status">
      <Note {...(differences.length > 0 && { kind: "warning" as const })}>
        {t.compared(rows)} {differences.length === 0 ? t.allSame(executed) : t.differ(differences.length)} {isPartial && t.partial}
      </Note>
      {differences.length > 0 && (
        <Table caption={t.caption} columns={columnsOf(t)} rows={differences} keyOf={({ kind, reference }) => `${kind} ${reference}`} />
      )}
    </div>
  );
}

/** @throws RangeError with a sentence for a file that cannot be compared */
function rowsOf(text: string, t: Translations) {
  return readTable(text, COLUMNS, MOST_ROWS).map(({ reference, amount, currency }, index) => {
    if (reference === "") throw new RangeError(t.wrongReference(index + 1));
    if (!/^\d{1,16}(\.\d{1,6})?$/.test(amount)) throw new RangeError(t.wrongAmount(index + 1));
    if (!/^[A-Z]{3}$/.test(currency)) throw new RangeError(t.wrongCurrency(index + 1));
    return { reference, amount, currency };
  });
}

const shown = (side: { amount: string; currency: string } | null) => (side === null ? <None /> : <Money {...side} />);

function columnsOf(t: Translations): Column<Difference>[] {
  return [
    {
      id: "reference",
      header: t.externalId,
      pinned: true,
      card: 1,
      cell: ({ reference, tx_id }) =>
        tx_id === null ? (
          <Data>{reference}</Data>
        ) : (
          <Link href={`/console/settlements/${tx_id}`} translate="no">
            {reference}
          </Link>
        ),
    },
    { id: "what", header: t.what, card: 2, cell: ({ kind }) => t.kinds[kind] },
    { id: "yours", header: t.yours, align: "end", card: 3, cell: ({ own }) => shown(own) },
    { id: "ours", header: t.ours, align: "end", card: 3.1, cell: ({ ours }) => shown(ours) },
  ];
}
