"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { NoMatch, Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { type PartProps, Rows } from "./rows.tsx";
import { SearchedAs } from "./search-box.tsx";
import { NO_FILTER } from "./search-params.ts";
import { useLiveRows } from "./use-live-rows.ts";

/** What a pasted text names. One settlement alone is opened at once. */
export function Found({ text, params, set, isOperator, hidden, onExport }: PartProps & { text: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const options = trpc.settlements.search.queryOptions({ text, ...(params.as && { as: params.as }) });
  const found = useQuery(options);
  const { changed } = useLiveRows(found.data?.data, options.queryKey, params, null);
  const only = found.data?.data.length === 1 ? found.data.data[0]?.settlement.tx_id : undefined;
  const kind = found.data?.kind ?? "";
  useEffect(() => {
    // Replaced, so that Back leads to the list and not into the search again.
    if (only !== undefined) router.replace(`/console/settlements/${only}?found=${kind}`);
  }, [only, kind, router]);
  if (found.isPending || only !== undefined) return <Skeleton rows={1} label="Searching" />;
  if (!found.data) return <Trouble error={found.error} onRetry={() => void found.refetch()} />;
  return (
    <>
      <SearchedAs kind={found.data.kind} match={found.data.match} onTry={(as) => set({ as })} />
      {found.data.data.length === 0 ? (
        <NoMatch onClear={() => set(NO_FILTER)}>
          No settlement has <code>{text}</code>.
        </NoMatch>
      ) : (
        <Rows
          rows={found.data.data}
          params={params}
          set={set}
          isOperator={isOperator}
          hidden={hidden}
          changed={changed}
          onExport={onExport}
        />
      )}
    </>
  );
}
