"use client";

import { columnVisibilityFeature, type RowData, tableFeatures, useTable } from "@tanstack/react-table";
import { type ReactNode, useMemo } from "react";
import { usePreferences } from "./preferences.tsx";

export type Column<Row> = {
  id: string;
  header: string;
  /** What stands in the heading instead of its text. */
  heading?: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Amounts stand at the right. */
  align?: "start" | "end";
  /** Stays in sight while the rest is scrolled sideways, at the left or at the end. */
  pinned?: boolean | "end";
  sort?: "ascending" | "descending";
};

type TableProps<Row extends RowData> = {
  /** What the table is of, for those who listen. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What a phone shows in a row's place. */
  card: (row: Row) => ReactNode;
  /** Further attributes of a row, such as `aria-selected` or a mark that it has just changed. */
  rowProps?: (row: Row, index: number) => Record<string, unknown>;
  /** Columns by id that are not shown (see `useColumnChoice`). */
  hidden?: ReadonlySet<string>;
  /** Lies under the rows: pagination. */
  footer?: ReactNode;
};

const features = tableFeatures({ columnVisibilityFeature });

/** The browser's own table, its header always in sight; on a phone a list of cards with the same rows. */
export function Table<Row extends RowData>({ caption, columns, rows, keyOf, card, rowProps, hidden, footer }: TableProps<Row>) {
  const { preferences } = usePreferences();
  const table = useRows({ columns, rows, keyOf, ...(hidden && { hidden }) });
  const known = new Map(columns.map((column) => [column.id, column]));
  return (
    <div className="table-shell" data-density={preferences.density}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard */}
      <section className="table-scroll" aria-label={caption} tabIndex={0}>
        <table className="table">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {table.getVisibleLeafColumns().map(({ id }) => (
                <Heading key={id} column={known.get(id)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} {...rowProps?.(row.original, row.index)}>
                {row.getVisibleCells().map(({ id, column }) => (
                  <td key={id} data-align={known.get(column.id)?.align} data-pinned={known.get(column.id)?.pinned || undefined}>
                    {known.get(column.id)?.cell(row.original)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ul className="cards" aria-label={caption}>
        {rows.map((row) => (
          <li key={keyOf(row)} className="card">
            {card(row)}
          </li>
        ))}
      </ul>
      {footer}
    </div>
  );
}

function Heading<Row>({ column }: { column: Column<Row> | undefined }) {
  if (column === undefined) return null;
  return (
    <th scope="col" data-align={column.align} data-pinned={column.pinned || undefined} aria-sort={column.sort}>
      {column.heading ?? (column.header || <span className="sr-only">Actions</span>)}
    </th>
  );
}

type Rows<Row extends RowData> = Pick<TableProps<Row>, "columns" | "rows" | "keyOf" | "hidden">;

function useRows<Row extends RowData>({ columns, rows, keyOf, hidden }: Rows<Row>) {
  const definitions = useMemo(() => columns.map(({ id, header }) => ({ id, header })), [columns]);
  const columnVisibility = useMemo(() => Object.fromEntries([...(hidden ?? [])].map((id) => [id, false])), [hidden]);
  const data = useMemo(() => [...rows], [rows]);
  return useTable({
    features,
    columns: definitions,
    data,
    getRowId: keyOf,
    initialState: { columnVisibility },
    state: { columnVisibility },
  });
}
