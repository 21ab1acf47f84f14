"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { LOG_RANGES, STATUS_CLASSES } from "#domain/api-request.ts";
import { LinkButton } from "../../../_components/controls/button.tsx";
import { Select } from "../../../_components/controls/field.tsx";
import { useZone } from "../../../_components/controls/values.tsx";
import { useAnswer } from "../../../_components/dialogs/use-answer.ts";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { FilterChips, FilterDrawer } from "../../../_components/lists/filter-drawer.tsx";
import { type Filters, narrow, partnerFilter, worded } from "../../../_components/lists/filters.ts";
import type { SetParams } from "../../../_components/lists/list-params.ts";
import { Answered, Empty } from "../../../_components/lists/list-states.tsx";
import { useListParams } from "../../../_components/lists/use-list-params.ts";
import { WALKED_STILL } from "../../../_components/lists/use-still-rows.ts";
import { WalkedList } from "../../../_components/lists/walked-list.tsx";
import { absolute } from "../../../_format/time.ts";
import { useTRPC } from "../../../_trpc/client.tsx";
import { addressOf, columnsFor } from "./columns.tsx";
import { Histogram } from "./histogram.tsx";
import { Refusals } from "./refusals.tsx";
import { API_LOG, filterOf, type LogParams, pageOf } from "./search-params.ts";

const LOOK_EVERY_MS = 3_000;
const COUNT_EVERY_MS = 15_000;
const RANGE_WORDS = { "1h": "Last hour", "24h": "Last 24 hours", "7d": "Last 7 days", "30d": "Last 30 days" };
const CLASS_WORDS = { "2xx": "2xx, answered", "4xx": "4xx, refused", "5xx": "5xx, failed" };

/** The requests that were made of the API: how many and how they were answered, and each of them. Told in real time. */
export function ApiLog({ isOperator }: { isOperator: boolean }) {
  const trpc = useTRPC();
  const [params, set] = useListParams(API_LOG);
  const { data: choices } = useQuery(trpc.apiLog.choices.queryOptions(undefined, { staleTime: 60_000 }));
  const page = pageOf(params);
  const query = useQuery(trpc.apiLog.list.queryOptions(page, WALKED_STILL));
  const isTop = params.cursor === null && params.to === null;
  const asked = { ...filterOf(params), cursor: query.data?.first_cursor ?? null };
  const enabled = isTop && query.data !== undefined && !query.isPlaceholderData;
  const since = useQuery(trpc.apiLog.since.queryOptions(asked, { enabled, refetchInterval: LOOK_EVERY_MS, staleTime: 0 }));
  const filters = useFilters(params, isOperator, choices);
  const narrowing = narrow(API_LOG, { params, set, filters, one: "request", many: "requests" });
  return (
    <>
      <PageHeader
        title="API log"
        actions={
          <>
            <Range params={params} choose={narrowing.choose} />
            <FilterDrawer of={narrowing} />
          </>
        }
      >
        {choices && (
          <span className="muted">
            Requests are kept for {choices.log_days} days, bodies of refused signatures for {choices.body_days}
          </span>
        )}
      </PageHeader>
      <FilterChips of={narrowing} />
      <Summary params={params} choose={narrowing.choose} />
      <WalkedList
        of={narrowing}
        query={query}
        subject={trpc.apiLog.pathKey()}
        limit={page.limit}
        newer={isTop ? (since.data?.count ?? 0) : 0}
        columns={columnsFor(isOperator)}
        idOf={({ request_id }) => request_id}
        open={({ request_id }) => addressOf(request_id)}
        nothing={(held) => `No request was ${held}.`}
        empty={
          <Empty title="No requests in this time">
            <p>
              {isOperator
                ? "Requests with any known key appear here."
                : "Every request with one of your keys appears here, signed rightly or not."}
            </p>
            <LinkButton href="/docs/signing">Sign the first one</LinkButton>
          </Empty>
        }
      />
    </>
  );
}

type Choices = { keys: readonly { id: string; name: string; last_four: string }[]; partners: readonly { id: string; name: string }[] };

function useFilters({ from, to }: LogParams, isOperator: boolean, choices: Choices | undefined): Filters<LogParams> {
  const zone = useZone();
  const isSpan = from !== null && to !== null && !Number.isNaN(Date.parse(from)) && !Number.isNaN(Date.parse(to));
  const span = isSpan ? `${absolute(from, zone)} to ${absolute(to, zone)}` : "in that span of time";
  const keys = choices?.keys ?? [];
  const partner = partnerFilter<LogParams>(choices?.partners);
  return [
    { name: "status", label: "Status", choices: worded(STATUS_CLASSES, CLASS_WORDS), held: (status) => status },
    { name: "code", label: "Error code", hint: "Such as signature_mismatch" },
    { name: "path", label: "Path begins with", hint: "Such as /api/v1/settlements", held: (path) => `under ${path}` },
    isOperator && { ...partner, held: (id) => `by ${partner.held?.(id)}` },
    {
      ...{ name: "key", choices: keys.map(({ id, name, last_four }) => ({ value: id, label: `${name} (…${last_four})` })) },
      ...(!isOperator && { label: "Key" }),
      held: (id) => `with ${keys.find((key) => key.id === id)?.name ?? "one key"}`,
    },
    {
      ...{ name: "request", label: "Request id", held: (id) => `request ${id}` },
      hint: "What every answer carries as X-Request-Id; looked for in all that is kept",
    },
    { name: "settlement", label: "Settlement", held: (id) => `about ${id}` },
    { name: "from", held: () => span, along: ["to"] },
  ];
}

type PartProps = { params: LogParams; choose: SetParams<LogParams> };

/** The range in sight, one tap away. */
function Range({ params, choose }: PartProps) {
  const range = params.from === null ? (params.range ?? "24h") : "";
  return (
    <Select
      label="Time"
      hideLabel
      value={range}
      choices={[...(range === "" ? [{ value: "", label: "A span of time" }] : []), ...worded(LOG_RANGES, RANGE_WORDS)]}
      onChange={({ target }) => choose({ from: null, to: null, range: LOG_RANGES.find((each) => each === target.value) ?? null })}
    />
  );
}

function Summary({ params, choose }: PartProps) {
  const options = useTRPC().apiLog.summary.queryOptions(filterOf(params), {
    placeholderData: keepPreviousData,
    refetchInterval: params.to === null ? COUNT_EVERY_MS : false,
  });
  return (
    <Answered of={useAnswer(useQuery(options))} waiting={<div className="histogram-space" />} compact>
      {(summary) => (
        <>
          <Histogram summary={summary} onZoom={(from, to) => choose({ from, to })} />
          <Refusals refusals={summary.refusals} onChoose={(code) => choose({ code, status: null })} />
        </>
      )}
    </Answered>
  );
}
