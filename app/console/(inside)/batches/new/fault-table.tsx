import { PAYMENT_COLUMNS, type PaymentColumn, type PaymentRow, type RowFault } from "#domain/payment-file.ts";
import { TextField } from "../../../_components/controls/field.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import type { WithShared } from "../../../_words/shared.ts";
import { Served, useTranslations } from "../../../_words/words.ts";
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
      cell: (faulty) => <Cell of={faulty} column={column} onEdit={onEdit} />,
      // There is space for what is wrong, not for the whole row.
      inCard: (faulty) => faultAt(faulty, column) !== undefined && <Cell of={faulty} column={column} onEdit={onEdit} isCard />,
    }),
  );
  const first: Column<Faulty> = {
    id: "row",
    header: t.row,
    card: 1.1,
    align: "end",
    cell: (faulty) => <Row of={faulty} label={String(faulty.row + 1)} />,
    inCard: (faulty) => <Row of={faulty} label={t.rowNumber(faulty.row + 1)} />,
  };
  return [first, ...cells];
}

const faultAt = ({ faults }: Faulty, column: PaymentColumn) => faults.find((fault) => fault.column === column);

/** `isCard`: its label is visible, because no heading is above it. */
function Cell({ of, column, onEdit, isCard = false }: { of: Faulty; column: PaymentColumn; onEdit: Edit; isCard?: boolean }) {
  const t = useTranslations(UPLOAD);
  return (
    <TextField
      label={t.cellOf(column, of.row + 1)}
      hideLabel={!isCard}
      error={faultAt(of, column)?.message}
      value={of.cells[column]}
      autoComplete="off"
      spellCheck={false}
      translate="no"
      onChange={({ target }) => onEdit(of.row, column, target.value)}
    />
  );
}

/** The row's number, and what is wrong with the row as a whole. */
function Row({ of: { faults }, label }: { of: Faulty; label: string }) {
  const whole = faults.filter(({ column }) => column === null);
  return (
    <>
      <strong>{label}</strong>
      {whole.map(({ message }) => (
        <p key={message} className="field-error">
          <Served>{message}</Served>
        </p>
      ))}
    </>
  );
}
