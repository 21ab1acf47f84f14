"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useQueryStates } from "nuqs";
import { Button, LinkButton } from "../../../_components/controls/button.tsx";
import { useAnswer, usePage } from "../../../_components/dialogs/use-answer.ts";
import { PageHeader } from "../../../_components/frame/page-header.tsx";
import { Earlier, Empty, NoMatch, Skeleton, Stale, Trouble } from "../../../_components/lists/list-states.tsx";
import { Pagination } from "../../../_components/lists/pagination.tsx";
import { useTRPC } from "../../../_trpc/client.ts";
import { ActiveLogFilters, activeLogFilters, LogFilters } from "./filters.tsx";
import { Histogram } from "./histogram.tsx";
import { Refusals } from "./refusals.tsx";
import { RequestRows } from "./request-rows.tsx";
import { FROM_THE_TOP, LOG_PARAMS, type LogParams, logFilterOf, logPageOf, NO_FILTER, type SetLogParams } from "./search-params.ts";

const LOOK_EVERY_MS = 3_000;
const COUNT_EVERY_MS = 15_000;

type PartProps = { params: LogParams; set: SetLogParams; isOperator: boolean };

/** The requests that were made of the API: how many and how they were answered, and each of them. Told in real time. */
export function ApiLog({ isOperator }: { isOperator: boolean }) {
  const [params, setParams] = useQueryStates(LOG_PARAMS, { history: "push", shallow: true });
  const set: SetLogParams = (next) => void setParams(next);
  const trpc = useTRPC();
  const { data: choices } = useQuery(trpc.apiLog.choices.queryOptions(undefined, { staleTime: 60_000 }));
  return (
    <>
      <PageHeader title="API log" actions={<LogFilters params={params} set={set} isOperator={isOperator} />}>
        {choices && (
          <span className="muted">
            Requests are kept for {choices.log_days} days, bodies of refused signatures for {choices.body_days}
          </span>
        )}
      </PageHeader>
      <ActiveLogFilters params={params} set={set} {...(choices && { names: choices })} />
      <Summary params={params} set={set} isOperator={isOperator} />
      <Listed params={params} set={set} isOperator={isOperator} />
    </>
  );
}

function Summary({ params, set }: PartProps) {
  const trpc = useTRPC();
  const options = trpc.apiLog.summary.queryOptions(logFilterOf(params), {
    placeholderData: keepPreviousData,
    refetchInterval: params.to === null ? COUNT_EVERY_MS : false,
  });
  const summary = useAnswer(useQuery(options));
  const { data, error, isPending, refetch } = summary;
  if (isPending) return <div className="histogram-space" />;
  if (!data) return <Trouble error={error} compact onRetry={() => void refetch()} />;
  return (
    <Earlier of={summary}>
      <Histogram summary={data} onZoom={(from, to) => set({ ...FROM_THE_TOP, from, to })} />
      <Refusals refusals={data.refusals} onChoose={(code) => set({ ...FROM_THE_TOP, code, status: null })} />
    </Earlier>
  );
}

function Listed({ params, set, isOperator }: PartProps) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const still = { staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false, refetchOnReconnect: false, meta: { still: true } };
  const options = trpc.apiLog.list.queryOptions(logPageOf(params), { ...still, placeholderData: keepPreviousData });
  const list = usePage(useQuery(options));
  const isTop = params.cursor === null && params.to === null;
  const first = list.data?.first_cursor ?? null;
  const since = useQuery(
    trpc.apiLog.since.queryOptions(
      { ...logFilterOf(params), cursor: first },
      { enabled: isTop && list.data !== undefined && !list.isEarlier, refetchInterval: LOOK_EVERY_MS, staleTime: 0 },
    ),
  );
  if (list.isPending) return <Skeleton />;
  if (!list.data) return <Trouble error={list.error} onRetry={() => void list.refetch()} />;
  const { data, older_cursor, newer_cursor } = list.data;
  const fresh = isTop ? (since.data?.count ?? 0) : 0;
  const refresh = () => void queries.invalidateQueries({ queryKey: trpc.apiLog.pathKey() });
  return (
    <Earlier of={list}>
      {list.error && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      <div className="new-rows" role="status">
        {fresh > 0 && (
          <Button look="primary" onClick={refresh}>
            {fresh === 1 ? "1 new request" : `${fresh >= 100 ? "100+" : fresh} new requests`}
          </Button>
        )}
      </div>
      {data.length === 0 ? (
        <NothingListed params={params} set={set} isOperator={isOperator} />
      ) : (
        <RequestRows
          rows={data}
          isOperator={isOperator}
          footer={
            <Pagination
              hasNewer={newer_cursor !== null}
              hasOlder={older_cursor !== null}
              onNewer={() => set({ cursor: newer_cursor, direction: "newer" })}
              onOlder={() => set({ cursor: older_cursor, direction: null })}
              limit={logPageOf(params).limit}
              onLimit={(limit) => set({ limit, ...FROM_THE_TOP })}
            />
          }
        />
      )}
    </Earlier>
  );
}

function NothingListed({ params, set, isOperator }: PartProps) {
  const active = activeLogFilters(params, undefined);
  if (active.length > 0) {
    return <NoMatch onClear={() => set(NO_FILTER)}>No request was {active.map(({ text }) => text).join(", ")}.</NoMatch>;
  }
  return (
    <Empty title="No requests in this time">
      <p>
        {isOperator
          ? "Requests with any known key appear here."
          : "Every request with one of your keys appears here, signed rightly or not."}
      </p>
      <LinkButton href="/docs/signing">Sign the first one</LinkButton>
    </Empty>
  );
}
