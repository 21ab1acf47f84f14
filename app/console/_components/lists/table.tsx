"use client";

import type { ReactNode } from "react";
import { usePreferences } from "#app/console/_components/frame/preferences.tsx";

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

type TableProps<Row> = {
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

/** The browser's own table, its header always in sight; on a phone a list of cards with the same rows. */
export function Table<Row>({ caption, columns, rows, keyOf, card, rowProps, hidden, footer }: TableProps<Row>) {
  const { preferences } = usePreferences();
  const shown = columns.filter(({ id }) => !hidden?.has(id));
  return (
    <div className="table-shell" data-density={preferences.density}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard */}
      <section className="table-scroll" aria-label={caption} tabIndex={0}>
        <table className="table">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {shown.map((column) => (
                <Heading key={column.id} column={column} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={keyOf(row)} {...rowProps?.(row, index)}>
                {shown.map(({ id, align, pinned, cell }) => (
                  <td key={id} data-align={align} data-pinned={pinned || undefined}>
                    {cell(row)}
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

function Heading<Row>({ column }: { column: Column<Row> }) {
  return (
    <th scope="col" data-align={column.align} data-pinned={column.pinned || undefined} aria-sort={column.sort}>
      {column.heading ?? (column.header || <span className="sr-only">Actions</span>)}
    </th>
  );
}
