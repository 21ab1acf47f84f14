import { PAYMENT_COLUMNS, type PaymentColumn, type PaymentRow, type RowFault } from "#domain/payment-file.ts";
import { TextField } from "../../../_components/controls/field.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import type { WithShared } from "../../../_words/shared.ts";
import { useTranslations } from "../../../_words/words.ts";
import { UPLOAD } from "./words.ts";

/** More are shown once these are correct. */
const SHOWN = 50;

type Faulty = { row: number; cells: PaymentRow; faults: readonly RowFault[] };
type Edit = (row: number, column: PaymentColumn, text: string) => void;

/** The rows with a fault, each cell to be corrected in place, and what is wrong below its cell. */
export function FaultTable({ rows, faults, onEdit }: { rows: readonly PaymentRow[]; faults: readonly RowFault[]; onEdit: Edit }) {
  const t = useTranslations(UPLOAD);
  const byRow = Map.groupBy(faults, ({ row }) => row);
  const faulty = [...byRow].flatMap(([row, of]): Faulty[] => {
    const cells = rows[row];
    return cells === undefined ? [] : [{ row, cells, faults: of }];
  });
  return (
    <>
      <Table caption={t.caption} columns={columnsOf(t, onEdit)} rows={faulty.slice(0, SHOWN)} keyOf={({ row }) => String(row)} />
      {faulty.length > SHOWN && <p className="muted">{t.moreRows(faulty.length - SHOWN)}</p>}
    </>
  );
}

function columnsOf(t: WithShared<typeof UPLOAD>, onEdit: Edit): Column<Faulty>[] {
  const cells = PAYMENT_COLUMNS.map(
    (column, place): Column<Faulty> => ({
      id: column,
      header: column,
      heading: <span translate="no">{column}</span>,
      card: place + 2,
      cell: ({ row, cells: { [column]: text }, faults }) => (
        <TextField
          label={t.cellOf(column, row + 1)}
          hideLabel
          placeholder={column}
          error={faults.find((fault) => fault.column === column)?.message}
          value={text}
          autoComplete="off"
          spellCheck={false}
          translate="no"
          onChange={({ target }) => onEdit(row, column, target.value)}
        />
      ),
    }),
  );
  const first: Column<Faulty> = {
    id: "row",
    header: t.row,
    card: 1.1,
    align: "end",
    cell: ({ row, faults }) => (
      <>
        <strong>{row + 1}</strong>
        {faults
          .filter(({ column }) => column === null)
          .map(({ message }) => (
            <p key={message} className="field-error" lang="en">
              {message}
            </p>
          ))}
      </>
    ),
  };
  return [first, ...cells];
}
