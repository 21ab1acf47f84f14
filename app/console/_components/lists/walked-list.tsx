import type { QueryKey, UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { usePage } from "#app/console/_components/dialogs/use-answer.ts";
import { useRefresh } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Narrowing } from "./filters.ts";
import type { WalkParams } from "./list-params.ts";
import { NoMatch, QueryBoundary } from "./list-states.tsx";
import { Pagination } from "./pagination.tsx";
import { WalkedRows, type WalkedRowsProps } from "./walked-rows.tsx";
import { WALKED_LIST } from "./words.ts";

type WalkedPage<Row> = { data: Row[]; older_cursor: string | null; newer_cursor: string | null };

type WalkedListProps<Row, Params> = {
  of: Narrowing<Params>;
  query: UseQueryResult<WalkedPage<Row>, object>;
  /** The key of all that is read about the list's subject: it is read again when somebody asks for the newest. */
  subject: QueryKey;
  /** Rows of a page. */
  limit: number;
  /** How many came since the first row in sight; they are shown when asked for. */
  newer?: number;
  /** What is shown while there is nothing at all. */
  empty: ReactNode;
  /** That nothing fits, as a sentence about what was asked for. */
  nothing?: (held: string) => string;
  /** How many there are in all. */
  total?: ReactNode;
};
type Plain<Row> = Omit<WalkedRowsProps<Row>, "caption"> & { caption?: string; children?: never };
/** A list whose rows do more than open. */
type Own<Row> = { children: (rows: readonly Row[], footer: ReactNode) => ReactNode };

/**
 * A list that is walked page by page, in each of its states: not read yet, failed, of the question before, not up to date, empty, with
 * nothing that fits, and full. Rows that came since are told and never pushed in between.
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
                  {t.newWord(newer >= 100 ? "100+" : newer, newer === 1 ? of.one : of.many)}
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
  return <WalkedRows caption={t.newestFirst(name)} {...rest} rows={rows} footer={footer} />;
}
