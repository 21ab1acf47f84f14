"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { LOG_RANGES, STATUS_CLASSES } from "#domain/api-request.ts";
import { LinkButton } from "../../../_components/controls/button.tsx";
import { Select } from "../../../_components/controls/field.tsx";
import { useZone } from "../../../_components/controls/values.tsx";
import { useAnswer } from "../../../_components/dialogs/use-answer.ts";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import type { SetParams } from "../../../_components/lists/address-params.ts";
import { FilterChips, FilterDrawer } from "../../../_components/lists/filter-drawer.tsx";
import { type Filters, narrow, partnerFilter, worded } from "../../../_components/lists/filters.ts";
import { Empty, QueryBoundary } from "../../../_components/lists/list-states.tsx";
import { useAddressParams } from "../../../_components/lists/use-address-params.ts";
import { WALKED_STILL } from "../../../_components/lists/use-still-rows.ts";
import { WalkedList } from "../../../_components/lists/walked-list.tsx";
import { FILTERS } from "../../../_components/lists/words.ts";
import { useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { addressOf, columnsFor } from "./columns.tsx";
import { Histogram } from "./histogram.tsx";
import { Refusals } from "./refusals.tsx";
import { API_LOG, filterOf, type LogParams, pageOf } from "./search-params.ts";
import { COLUMNS, LOG } from "./words.ts";

const LOOK_EVERY_MS = 3_000;
const COUNT_EVERY_MS = 15_000;

/** The requests to the API: their number, their answers, and each of them. In real time. */
export function ApiLog({ isOperator }: { isOperator: boolean }) {
  const t = useTranslations(LOG);
  const inRows = useTranslations(COLUMNS);
  const trpc = useTRPC();
  const [params, set] = useAddressParams(API_LOG.params);
  const { data: choices } = useQuery(trpc.apiLog.choices.queryOptions(undefined, { staleTime: 60_000 }));
  const page = pageOf(params);
  const query = useQuery(trpc.apiLog.list.queryOptions(page, WALKED_STILL));
  const isTop = params.cursor === null && params.to === null;
  const asked = { ...filterOf(params), cursor: query.data?.first_cursor ?? null };
  const enabled = isTop && query.data !== undefined && !query.isPlaceholderData;
  const since = useQuery(trpc.apiLog.since.queryOptions(asked, { enabled, refetchInterval: LOOK_EVERY_MS, staleTime: 0 }));
  const filters = useFilters(params, isOperator, choices);
  const narrowing = narrow(API_LOG, { params, set, filters, one: t.one, many: t.many });
  return (
    <>
      <PageHeader
        title={t.apiLog}
        actions={
          <>
            <Range params={params} choose={narrowing.choose} />
            <FilterDrawer of={narrowing} />
          </>
        }
      >
        {choices && <span className="muted">{t.kept(choices.log_days, choices.body_days)}</span>}
      </PageHeader>
      <FilterChips of={narrowing} />
      <Summary params={params} choose={narrowing.choose} />
      <WalkedList
        of={narrowing}
        query={query}
        subject={trpc.apiLog.pathKey()}
        limit={page.limit}
        newer={isTop ? (since.data?.count ?? 0) : 0}
        columns={columnsFor(isOperator, inRows)}
        idOf={({ request_id }) => request_id}
        open={({ request_id }) => addressOf(request_id)}
        nothing={(held) => t.nothing(held)}
        empty={
          <Empty title={t.none} more={isOperator ? t.noneOperator : t.nonePartner}>
            <LinkButton href="/docs/signing">{t.signFirstOne}</LinkButton>
          </Empty>
        }
      />
    </>
  );
}

type Choices = { keys: readonly { id: string; name: string; last_four: string }[]; partners: readonly { id: string; name: string }[] };

function useFilters({ from, to }: LogParams, isOperator: boolean, choices: Choices | undefined): Filters<LogParams> {
  const t = useTranslations(LOG);
  const zone = useZone();
  const isSpan = from !== null && to !== null && !Number.isNaN(Date.parse(from)) && !Number.isNaN(Date.parse(to));
  const span = isSpan ? t.fromTo(t.format.absolute(from, zone), t.format.absolute(to, zone)) : t.inTimeSpan;
  const keys = choices?.keys ?? [];
  const partner = partnerFilter<LogParams>(choices?.partners, useTranslations(FILTERS));
  return [
    { name: "status", label: t.status, choices: worded(STATUS_CLASSES, t.classes), held: (status) => status },
    { name: "code", label: t.errorCode, hint: t.codeHint },
    { name: "path", label: t.pathBegins, hint: t.pathHint, held: (path) => t.underPath(path) },
    isOperator && { ...partner, held: (id) => t.byPartner(partner.held?.(id) ?? id) },
    {
      name: "key",
      choices: keys.map(({ id, name, last_four }) => ({ value: id, label: `${name} (…${last_four})`, origin: "data" as const })),
      ...(!isOperator && { label: t.key }),
      held: (id) => t.withKey(keys.find((key) => key.id === id)?.name),
    },
    {
      name: "request",
      label: t.requestId,
      held: (id) => t.withRequestId(id),
      hint: t.requestHint,
    },
    { name: "settlement", label: t.settlement, held: (id) => t.aboutSettlement(id) },
    { name: "from", held: () => span, along: ["to"] },
  ];
}

type PartProps = { params: LogParams; choose: SetParams<LogParams> };

/** The range shown, one tap away. */
function Range({ params, choose }: PartProps) {
  const t = useTranslations(LOG);
  const range = params.from === null ? (params.range ?? "24h") : "";
  return (
    <Select
      label={t.time}
      hideLabel
      value={range}
      choices={[...(range === "" ? [{ value: "", label: t.span }] : []), ...worded(LOG_RANGES, t.ranges)]}
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
    <QueryBoundary of={useAnswer(useQuery(options))} waiting={<div className="histogram-space" />} compact>
      {(summary) => (
        <>
          <Histogram summary={summary} onZoom={(from, to) => choose({ from, to })} />
          <Refusals refusals={summary.refusals} onChoose={(code) => choose({ code, status: null })} />
        </>
      )}
    </QueryBoundary>
  );
}
