import { Fragment, memo, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Money } from "#app/console/_components/controls/values.tsx";
import { usePreferences } from "#app/console/_components/frame/preferences.tsx";
import { useTranslations } from "../../_words/words.ts";
import { TABLE } from "./words.ts";

export type Column<Row> = {
  id: string;
  header: string;
  /** Content of the heading instead of its text. */
  heading?: ReactNode;
  /** Cached while function and row are the same. */
  cell: (row: Row) => ReactNode;
  /** Hidden while the panel is open, which shows it too. */
  inPreview?: boolean;
  /** Amounts are right-aligned. */
  align?: "start" | "end";
  /** Sticks while the rest scrolls sideways, at the left or at the end. */
  pinned?: boolean | "end";
  sort?: "ascending" | "descending";
  /** Also on the row's own page: hidden where space is scarce, so that no column is cut. */
  spare?: boolean;
  /** Its position on a phone's card: `2.1` is the beginning of the second line. Default: not shown. */
  card?: number | undefined;
  /** A shorter form for the card. */
  inCard?: (row: Row) => ReactNode;
  /** Less prominent on a card. */
  aside?: boolean;
};

type TableProps<Row> = {
  /** The table's caption for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Additional attributes of a row, such as a mark for a recent change. */
  rowProps?: (row: Row, index: number) => Record<string, unknown>;
  /** The ids of hidden columns (see `useColumnChoice`). */
  hidden?: ReadonlySet<string>;
  /** Below the rows: pagination. */
  footer?: ReactNode;
};

/** A plain table with a sticky header; on a phone a list of cards with the same rows. */
export function Table<Row>({ caption, columns, rows, keyOf, rowProps, hidden, footer }: TableProps<Row>) {
  const { preferences } = usePreferences();
  const box = useRef<HTMLElement>(null);
  const isWide = useWide(box);
  const shown = columns.filter(({ id }) => !hidden?.has(id));
  const inCards = columns.filter(({ card }) => card !== undefined);
  return (
    <div className="table-shell" data-density={preferences.density}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by the keyboard */}
      <section ref={box} className="table-scroll" data-wide={isWide || undefined} aria-label={caption} tabIndex={0}>
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
                {shown.map((column) => (
                  <td key={column.id} {...marksOf(column)}>
                    <Cell cell={column.cell} row={row} />
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
            <Card columns={inCards} row={row} />
          </li>
        ))}
      </ul>
      {footer}
    </div>
  );
}

function marksOf<Row>({ align, pinned, spare, inPreview }: Column<Row>) {
  return { "data-align": align, "data-pinned": pinned || undefined, "data-spare": spare, "data-in-preview": inPreview };
}

type CellProps<Row> = { cell: (row: Row) => ReactNode; row: Row };

/** Memoised: most changes around a row do not affect most of its cells. */
const Cell = memo(function Cell<Row>({ cell, row }: CellProps<Row>) {
  return cell(row);
}) as <Row>(props: CellProps<Row>) => ReactNode;

function Heading<Row>({ column }: { column: Column<Row> }) {
  const t = useTranslations(TABLE);
  return (
    <th scope="col" {...marksOf(column)} aria-sort={column.sort}>
      {column.heading ?? (column.header || <span className="sr-only">{t.actions}</span>)}
    </th>
  );
}

type CardProps<Row> = { columns: readonly Column<Row>[]; row: Row };

function isSameCard<Row>(before: CardProps<Row>, now: CardProps<Row>): boolean {
  const areSame = before.columns.length === now.columns.length && before.columns.every((column, at) => column === now.columns[at]);
  return areSame && before.row === now.row;
}

/** A row on a phone: the columns with a card position, line by line. */
const Card = memo(function Card<Row>({ columns, row }: CardProps<Row>) {
  const placed = columns.flatMap((column) => (column.card === undefined ? [] : [{ ...column, at: column.card }]));
  const lines = Map.groupBy(
    placed.toSorted((left, right) => left.at - right.at),
    ({ at }) => Math.floor(at),
  );
  return [...lines].map(([line, parts]) => (
    <div key={line} className="card-line">
      {parts.map(({ id, aside, cell, inCard = cell }) =>
        aside ? (
          <span key={id} className="muted">
            {inCard(row)}
          </span>
        ) : (
          <Fragment key={id}>{inCard(row)}</Fragment>
        ),
      )}
    </div>
  ));
}, isSameCard) as <Row>(props: CardProps<Row>) => ReactNode;

/** Shown where a row has no value. */
export function None() {
  return <span className="none">–</span>;
}

/** A text that may be long: a tooltip shows it in full. */
export function Short({ text, title = text }: { text: string | null; title?: string | null }) {
  if (text === null) return <None />;
  return (
    <span className="short" title={title ?? text} translate="no">
      {text}
    </span>
  );
}

/** The partner: for operators, who see everybody's. */
export function partnerColumn<Row extends { partner: { name: string } | null }>(
  isOperator: boolean,
  card?: number,
  t: { partner: string } = TABLE,
): Column<Row>[] {
  const cell = ({ partner }: Row) => <Short text={partner?.name ?? null} />;
  return isOperator ? [{ id: "partner", header: t.partner, cell, card, aside: true }] : [];
}

/** An amount and its currency. */
export function moneyColumn<Row>(
  id: string,
  header: string,
  of: (row: Row) => readonly [amount: string, currency: string],
  more: Partial<Column<Row>> = {},
): Column<Row> {
  const cell = (row: Row) => {
    const [amount, currency] = of(row);
    return <Money amount={amount} currency={currency} />;
  };
  return { id, header, align: "end", cell, ...more };
}

/**
 * Whether a table is wider than its box. Only then does the box scroll; otherwise the page scrolls, and the table's header and pager stick
 * to it. The box is measured including its scrollbar, so that the result does not depend on the previous one.
 */
function useWide(box: RefObject<HTMLElement | null>): boolean {
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    const table = box.current?.querySelector("table");
    if (!box.current || !table) return;
    const { current } = box;
    const observer = new ResizeObserver(() => setIsWide(table.offsetWidth > current.offsetWidth));
    observer.observe(current);
    observer.observe(table);
    return () => observer.disconnect();
  }, [box]);
  return isWide;
}
