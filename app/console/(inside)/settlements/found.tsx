import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import type { ClueKind } from "#domain/settlement-view.ts";
import { ErrorState, NoMatch, Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Trans, useTranslations } from "../../_words/words.ts";
import { type PartProps, Rows } from "./rows.tsx";
import { SETTLEMENTS } from "./search-params.ts";
import { useLiveRows } from "./use-live-rows.ts";
import { FOUND } from "./words.ts";

/** What a pasted text refers to. If that is a single settlement, it opens at once. */
export function Found({ text, params, set, isOperator, mayDecide, hidden, onExport }: PartProps & { text: string }) {
  const t = useTranslations(FOUND);
  const trpc = useTRPC();
  const router = useRouter();
  const options = trpc.settlements.search.queryOptions({ text, ...(params.as && { as: params.as }) });
  const found = useQuery(options);
  const { changed } = useLiveRows(found.data?.data, options.queryKey, params, null);
  const only = found.data?.data.length === 1 ? found.data.data[0]?.settlement.tx_id : undefined;
  const kind = found.data?.kind ?? "";
  useEffect(() => {
    // Replaces the history entry, so that Back leads to the list and not into the search again.
    if (only !== undefined) router.replace(`/console/settlements/${only}?found=${kind}`);
  }, [only, kind, router]);
  if (found.isPending || only !== undefined) return <Skeleton rows={1} label={t.searching} />;
  if (!found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <>
      <SearchedAs kind={found.data.kind} match={found.data.match} onTry={(as) => set({ as })} />
      {found.data.data.length === 0 ? (
        <NoMatch onClear={() => set(SETTLEMENTS.noFilter)}>
          <Trans sentence={t.noSettlement} text={<code>{text}</code>} />
        </NoMatch>
      ) : (
        <Rows
          rows={found.data.data}
          params={params}
          set={set}
          isOperator={isOperator}
          mayDecide={mayDecide}
          hidden={hidden}
          changed={changed}
          onExport={onExport}
        />
      )}
    </>
  );
}

type SearchedAsProps = { kind: ClueKind | null; match: "exact" | "prefix"; onTry: (kind: ClueKind) => void };

/** Shows how the text was interpreted, and offers other interpretations. */
function SearchedAs({ kind, match, onTry }: SearchedAsProps) {
  const t = useTranslations(FOUND);
  if (kind === null) return null;
  const others = (["external_id", "merchant", "wallet"] as const).filter((each) => each !== kind);
  return (
    <p className="searched-as">
      <span>
        <Trans sentence={t.searchedAs(match)} strong={<strong>{t.kinds[kind]}</strong>} />
      </span>
      {others.map((each) => (
        <button key={each} type="button" className="chip" onClick={() => onTry(each)}>
          {t.kinds[each]}
        </button>
      ))}
    </p>
  );
}
