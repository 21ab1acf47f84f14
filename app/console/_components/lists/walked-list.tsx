import type { QueryKey, UseQueryResult } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { usePage } from "#app/console/_components/dialogs/use-answer.ts";
import { useRefresh } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Narrowing } from "./filters.ts";
import type { WalkParams } from "./list-params.ts";
import { NoMatch, QueryBoundary } from "./list-states.tsx";
import { WalkedRows, type WalkedRowsProps } from "./walked-rows.tsx";
import { PAGINATION, WALKED_LIST } from "./words.ts";

type WalkedPage<Row> = { data: Row[]; older_cursor: string | null; newer_cursor: string | null };

type WalkedListProps<Row, Params> = {
  of: Narrowing<Params>;
  query: UseQueryResult<WalkedPage<Row>, object>;
  /** The query key of everything about the list's subject, which is read again when the user asks for the newest. */
  subject: QueryKey;
  /** The page size. */
  limit: number;
  /** The number of new rows before the first visible one; they show on request. */
  newer?: number;
  /** Shown while the list has no rows at all. */
  empty: ReactNode;
  /** The text when no row matches. */
  nothing?: (held: string) => string;
  /** The total. */
  total?: ReactNode;
};
type Plain<Row> = Omit<WalkedRowsProps<Row>, "caption"> & { caption?: string; children?: never };
/** A list whose rows have more actions than opening. */
type Own<Row> = { children: (rows: readonly Row[], footer: ReactNode) => ReactNode };

/**
 * A list with pages, in each of its states: loading, failed, showing the previous query, stale, empty, without matches, and full. The
 * number of new rows is shown; they are never inserted by themselves.
 */
export function WalkedList<Row, Params extends WalkParams>(props: WalkedListProps<Row, Params> & (Plain<Row> | Own<Row>)) {
  const t = useTranslations(WALKED_LIST);
  const { of, query, subject, limit, newer = 0, empty, total } = props;
  const { nothing = (held) => t.noMatch(of.one, held) } = props;
  const refresh = useRefresh(subject);
  const { params, set, fromTheTop } = of;
  const toTop = () => {
    if (params.cursor !== null) set(fromTheTop);
    refresh();
  };
  return (
    <QueryBoundary of={usePage(query)}>
      {({ data, older_cursor, newer_cursor }) => {
        const walk = (cursor: string | null, direction: "newer" | null) => () => set({ ...fromTheTop, cursor, direction });
        const footer = (
          <Pagination
            hasNewer={newer_cursor !== null}
            hasOlder={older_cursor !== null}
            onNewer={walk(newer_cursor, "newer")}
            onOlder={walk(older_cursor, null)}
            limit={limit}
            onLimit={(next) => set({ limit: next, cursor: null, direction: null } as Partial<Params>)}
            total={total}
          />
        );
        return (
          <>
            <div className="new-rows" role="status">
              {newer > 0 && (
                <Button look="primary" onClick={toTop}>
                  {t.newRows(newer >= 100 ? "100+" : newer, newer === 1 ? of.one : of.many)}
                </Button>
              )}
            </div>
            {data.length > 0 ? (
              <Rows {...props} rows={data} footer={footer} />
            ) : of.held.length > 0 ? (
              <NoMatch onClear={of.clear}>{nothing(of.held.map(({ text }) => text).join(", "))}</NoMatch>
            ) : (
              empty
            )}
          </>
        );
      }}
    </QueryBoundary>
  );
}

type RowsProps<Row> = { of: { many: string }; rows: readonly Row[]; footer: ReactNode } & (Plain<Row> | Own<Row>);

function Rows<Row>({ of, rows, footer, ...rest }: RowsProps<Row>) {
  const t = useTranslations(WALKED_LIST);
  if (rest.children) return rest.children(rows, footer);
  const name = of.many.charAt(0).toUpperCase() + of.many.slice(1);
  return <WalkedRows caption={t.caption(name)} {...rest} rows={rows} footer={footer} />;
}

type PaginationProps = {
  hasNewer: boolean;
  hasOlder: boolean;
  onNewer: () => void;
  onOlder: () => void;
  limit: number;
  onLimit: (limit: number) => void;
  /** The total, if known. */
  total?: ReactNode;
};

const LIMITS = [25, 50, 100];

/** Pages a list by position: pages neither skip nor repeat rows, whatever is added meanwhile. One page has nothing to turn. */
function Pagination({ hasNewer, hasOlder, onNewer, onOlder, limit, onLimit, total }: PaginationProps) {
  const t = useTranslations(PAGINATION);
  return (
    <nav className="pagination" aria-label={t.label} data-single={(!hasNewer && !hasOlder) || undefined}>
      <span className="pagination-total">{total}</span>
      <label className="pagination-limit">
        {t.rows}
        <select className="input" value={limit} onChange={(event) => onLimit(Number(event.target.value))}>
          {LIMITS.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </label>
      {(hasNewer || hasOlder) && (
        <>
          <Button icon={ChevronLeft} disabled={!hasNewer} onClick={onNewer}>
            {t.newer}
          </Button>
          <Button icon={ChevronRight} disabled={!hasOlder} onClick={onOlder}>
            {t.older}
          </Button>
        </>
      )}
    </nav>
  );
}
