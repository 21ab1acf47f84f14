"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Tabs } from "../../_components/controls/tabs.tsx";
import { PageHeader } from "../../_components/frame/page-parts.tsx";
import { Empty, ErrorState, Skeleton, Stale } from "../../_components/lists/list-states.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { useLiveChanges, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { compareAmounts } from "./amounts.ts";
import type { Awaiting, Hint } from "./answers.ts";
import { BatchesTab } from "./batches-tab.tsx";
import { DecidedByMe, LapsedAfterApproval } from "./past-list.tsx";
import { riskWeight } from "./risk.tsx";
import { QUEUE_PARAMS, QUEUE_TABS, type QueueSort } from "./search-params.ts";
import { useRiskHints } from "./use-risk-hints.ts";
import { APPROVAL_QUEUE } from "./words.ts";
import { WorkTab } from "./work-tab.tsx";

type Hints = ReadonlyMap<string, readonly Hint[]>;

/** Rates move: the figures in each row are never older than this. */
const REPRICE_MS = 15_000;
/** Events that change the queue; others do not matter here. */
const CONCERNS = new Set([
  "settlement.created",
  "settlement.approval_recorded",
  "settlement.approved",
  "settlement.rejected",
  "settlement.cancelled",
  "batch.created",
  "batch.approved",
  "batch.rejected",
  "batch.cancelled",
]);

/** Settlements that wait for a decision, and the outcomes of past decisions. */
export function ApprovalQueue({ mayDecide }: { mayDecide: boolean }) {
  const t = useTranslations(APPROVAL_QUEUE);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [params, setParams] = useAddressParams(QUEUE_PARAMS, "replace");
  const list = useQuery(trpc.approvals.list.queryOptions(undefined, { refetchInterval: REPRICE_MS }));
  const counts = useQuery(trpc.approvals.counts.queryOptions(undefined));
  const batches = useQuery(trpc.approvals.batches.queryOptions(undefined));
  const { rows, leaving, forget } = useLingering(list.data?.data);
  useLiveChanges(
    ({ action }) => CONCERNS.has(action),
    () => void queries.invalidateQueries({ queryKey: trpc.approvals.pathKey(), predicate: ({ meta }) => meta?.still !== true }),
  );
  const hints = useRiskHints(rows.map(({ settlement }) => settlement.tx_id));
  if (list.isPending) return <Skeleton />;
  const parts = split(rows);
  const count = (part: keyof typeof parts) => (list.data?.more ? counts.data?.[part] : parts[part].filter(isStaying(leaving)).length);
  const work = (part: keyof typeof parts, label: string, empty: ReactNode) => (
    <>
      {!list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && list.error && <Stale since={list.dataUpdatedAt} error={list.error} onRetry={() => void list.refetch()} />}
      {list.data && parts[part].length === 0 && empty}
      <WorkTab
        rows={sorted(parts[part], params.sort, hints)}
        hints={hints}
        leaving={leaving}
        forget={forget}
        mayDecide={mayDecide}
        sort={params.sort}
        onSort={(sort) => setParams({ sort })}
        chosen={params.tx}
        onChoose={(tx) => setParams({ tx })}
        label={label}
      />
    </>
  );
  const tabs = [
    {
      value: "waiting",
      label: t.waiting,
      count: count("waiting"),
      content: work("waiting", t.awaitingApproval, <NothingWaiting seconds={counts.data?.median_seconds} />),
    },
    {
      value: "second",
      label: t.needsSecondApproval,
      count: count("second"),
      content: work("second", t.awaitingSecondApproval, <Empty title={t.noneAwaitSecond} />),
    },
    {
      value: "batches",
      label: t.batches,
      count: batches.data?.data.length,
      content: <BatchesTab mayDecide={mayDecide} chosen={params.tx} onChoose={(tx) => setParams({ tx })} />,
    },
    ...(mayDecide ? [{ value: "decided", label: t.decidedByMe, count: counts.data?.decided, content: <DecidedByMe /> }] : []),
    { value: "lapsed", label: t.lapsedAfterApproval, count: counts.data?.lapsed, content: <LapsedAfterApproval /> },
  ];
  return (
    <>
      <PageHeader title={<span tabIndex={-1}>{t.approvals}</span>} />
      <Tabs
        label={t.warnings}
        tabs={tabs.map(({ count: number, ...tab }) => ({ ...tab, ...(number !== undefined && { count: number }) }))}
        value={tabs.some(({ value }) => value === params.tab) ? params.tab : "waiting"}
        onChange={(next) => setParams({ tab: QUEUE_TABS.find((each) => each === next) ?? "waiting", tx: null })}
      />
    </>
  );
}

function NothingWaiting({ seconds }: { seconds: number | null | undefined }) {
  const t = useTranslations(APPROVAL_QUEUE);
  return <Empty title={t.noneWaiting}>{seconds ? t.medianDecision(t.format.span(seconds * 1_000)) : t.whatComesHere}</Empty>;
}

function split(rows: readonly Awaiting[]) {
  const hasFirst = ({ preview }: Awaiting) => preview.policy.approvals.length > 0;
  return { waiting: rows.filter((row) => !hasFirst(row)), second: rows.filter(hasFirst) };
}

function isStaying(leaving: ReadonlySet<string>) {
  return ({ settlement }: Awaiting) => !leaving.has(settlement.tx_id);
}

/** By waiting time, or by destination amount, because source currencies are not comparable. */
function sorted(rows: readonly Awaiting[], sort: QueueSort, hints: Hints): readonly Awaiting[] {
  if (sort === "waiting") return rows;
  const weight = ({ settlement }: Awaiting) => riskWeight(hints.get(settlement.tx_id));
  return rows.toSorted((left, right) =>
    sort === "risk" ? weight(right) - weight(left) : compareAmounts(right.amounts.net, left.amounts.net),
  );
}

/** How long a row that somebody else decided stays visible. */
const FAREWELL_MS = 6_000;

/**
 * A row that somebody else decided stays for a moment, so that it does not vanish unexplained. The user's own decisions disappear at once.
 */
function useLingering(fresh: readonly Awaiting[] | undefined) {
  const [rows, setRows] = useState<readonly Awaiting[]>(fresh ?? []);
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const own = useRef(new Set<string>());
  useEffect(() => {
    if (fresh === undefined) return;
    setRows((before) => {
      const present = new Set(fresh.map(({ settlement }) => settlement.tx_id));
      const gone = before.filter(({ settlement }) => !present.has(settlement.tx_id) && !own.current.has(settlement.tx_id));
      setLeaving(new Set(gone.map(({ settlement }) => settlement.tx_id)));
      return [...fresh.filter(({ settlement }) => !own.current.has(settlement.tx_id)), ...gone].sort((left, right) =>
        left.settlement.created_at < right.settlement.created_at ? -1 : 1,
      );
    });
  }, [fresh]);
  useEffect(() => {
    if (leaving.size === 0) return;
    const over = setTimeout(() => {
      setRows((before) => before.filter(({ settlement }) => !leaving.has(settlement.tx_id)));
      setLeaving(new Set());
    }, FAREWELL_MS);
    return () => clearTimeout(over);
  }, [leaving]);
  const forget = (id: string) => {
    own.current.add(id);
    setRows((before) => before.filter(({ settlement }) => settlement.tx_id !== id));
  };
  return { rows, leaving, forget };
}
