import { Button } from "../../../_components/controls/button.tsx";
import { Time } from "../../../_components/controls/values.tsx";
import { type Column, moneyColumn, Table } from "../../../_components/lists/table.tsx";
import { useTranslations, type WithShared } from "../../../_words/words.ts";
import type { BookingRow } from "../answers.ts";
import { ACCOUNT } from "./words.ts";

/** Bookings, newest first. `onReverse` null: the viewer may not reverse one. */
export function BookingTable({ rows, onReverse }: { rows: readonly BookingRow[]; onReverse: ((booking: BookingRow) => void) | null }) {
  const t = useTranslations(ACCOUNT);
  return <Table caption={t.caption} columns={columnsOf(t, onReverse)} rows={[...rows]} keyOf={({ id }) => id} />;
}

function columnsOf(t: WithShared<typeof ACCOUNT>, onReverse: ((booking: BookingRow) => void) | null): Column<BookingRow>[] {
  const reverse: Column<BookingRow> = {
    id: "reverse",
    header: "",
    align: "end",
    card: 4,
    cell: (row) => {
      if (row.reversed_at !== null) return <span className="muted">{t.reversed}</span>;
      if (onReverse === null || row.kind === "late_credit" || row.kind === "late_refund") return null;
      return (
        <Button onClick={() => onReverse(row)} aria-label={t.reverseOne(row.reference)}>
          {t.reverse}
        </Button>
      );
    },
  };
  return [
    { id: "received", header: t.received, pinned: true, card: 1.1, cell: ({ received_at: at }) => <Time at={at} form="absolute" /> },
    { id: "kind", header: t.what, card: 2.1, cell: ({ kind }) => t.kinds[kind] },
    moneyColumn<BookingRow>("amount", t.amount, ({ amount, currency }) => [amount, currency], { card: 1.2 }),
    { id: "reference", header: t.reference, card: 3, cell: ({ reference }) => <code translate="no">{reference}</code> },
    reverse,
  ];
}
