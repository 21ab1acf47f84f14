"use client";

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useNow } from "../../../_components/controls/clock.tsx";
import { Link } from "../../../_components/controls/link.tsx";
import { Id, Time } from "../../../_components/controls/values.tsx";
import { useAnswer } from "../../../_components/dialogs/use-answer.ts";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { QueryBoundary } from "../../../_components/lists/list-states.tsx";
import { type Column, None, Short, Table } from "../../../_components/lists/table.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import type { WithShared } from "../../../_words/shared.ts";
import { Trans, useTranslations } from "../../../_words/words.ts";
import { type ShownBatch as Batch, BatchBadge, BatchTotals } from "../batch-signs.tsx";
import { BatchActions } from "./batch-actions.tsx";
import { BATCH_PAGE } from "./words.ts";

const FAST_MS = 2_000;
const SLOW_MS = 15_000;

/** Batches and their progress. The service pays: nothing depends on this page being open. */
export function BatchPage({ ids, mayPay }: { ids: readonly string[]; mayPay: boolean }) {
  const t = useTranslations(BATCH_PAGE);
  const trpc = useTRPC();
  const answer = useAnswer(
    useQuery({
      ...trpc.batches.byIds.queryOptions({ batch_ids: [...ids] }, { staleTime: 0 }),
      refetchInterval: ({ state }) => intervalOf(state.data?.data),
    }),
  );
  return (
    <QueryBoundary of={answer}>
      {({ data }) => (
        <>
          <PageHeader
            within={{ href: "/console/batches", label: t.batches }}
            title={t.title(data[0]?.external_batch_id ?? "", data.length)}
            actions={<Results ids={ids} />}
          >
            {data.length === 1 && <Id value={ids[0] ?? ""} what={t.batchNoun} />}
          </PageHeader>
          <Progress batches={data} />
          {mayPay && <BatchActions batches={data} />}
          <Table caption={t.batches} columns={columnsOf(t)} rows={data} keyOf={({ batch_id }) => batch_id} />
        </>
      )}
    </QueryBoundary>
  );
}

function intervalOf(batches: readonly Batch[] = []): number | false {
  if (batches.some(({ status }) => status === "processing")) return FAST_MS;
  return batches.some(({ status }) => status === "quoted") && SLOW_MS;
}

const TONES = { executed: "executed", failed: "failed", processing: "processing", quoted: "quoted", cancelled: "cancelled" } as const;
const STATES = ["executed", "failed", "processing", "quoted", "cancelled"] as const;

function Progress({ batches }: { batches: readonly Batch[] }) {
  const t = useTranslations(BATCH_PAGE);
  const sum = (of: (batch: Batch) => number) => batches.reduce((before, batch) => before + of(batch), 0);
  const total = sum(({ item_count }) => item_count);
  const counts = STATES.map((state) => ({ state, count: sum((batch) => batch.counts[state]) }));
  const executed = sum((batch) => batch.counts.executed);
  return (
    <section className="job" aria-label={t.progress}>
      <progress className="job-bar" max={total} value={executed} aria-label={t.paidOf(t.format.count(executed), t.format.count(total))} />
      <p className="job-line">
        <strong>{t.paidOf(t.format.count(executed), t.format.count(total))}</strong>{" "}
        {batches.some(({ status }) => status === "processing") && <span className="muted">{t.pageMayBeClosed}</span>}
      </p>
      <ul className="job-counts">
        {counts
          .filter(({ count }) => count > 0)
          .map(({ state, count }) => (
            <li key={state} className="job-count" data-tone={TONES[state]}>
              <strong>{t.format.count(count)}</strong> {t[state]}
            </li>
          ))}
      </ul>
    </section>
  );
}

/** The rows of the uploaded file in their order, with what became of each. */
function Results({ ids }: { ids: readonly string[] }) {
  const t = useTranslations(BATCH_PAGE);
  const input = JSON.stringify({ batch_ids: ids });
  return (
    <a className="button" href={`/console/batches/export?${new URLSearchParams({ input })}`} download>
      <Download aria-hidden size={16} />
      <span className="button-label">{t.results}</span>
    </a>
  );
}

function columnsOf(t: WithShared<typeof BATCH_PAGE>): Column<Batch>[] {
  return [
    { id: "batch", header: t.batch, pinned: true, card: 1.1, cell: ({ external_batch_id }) => <Short text={external_batch_id} /> },
    { id: "status", header: t.status, card: 1.2, cell: (batch) => <BatchBadge of={batch} /> },
    {
      id: "payments",
      header: t.payments,
      card: 2.1,
      align: "end",
      cell: ({ counts, item_count }) => t.paidOf(t.format.count(counts.executed), t.format.count(item_count)),
    },
    { id: "total", header: t.total, card: 3.1, align: "end", cell: ({ totals }) => <BatchTotals of={totals} /> },
    { id: "quote", header: t.quote, card: 2.2, cell: (batch) => <Quote batch={batch} /> },
    {
      id: "items",
      header: "",
      card: 4.1,
      cell: ({ batch_id }) => <Link href={`/console/settlements?batch=${batch_id}`}>{t.show}</Link>,
    },
  ];
}

function Quote({ batch: { status, expires_at } }: { batch: Batch }) {
  const t = useTranslations(BATCH_PAGE);
  const now = useNow(1_000);
  if (status !== "quoted") return <None />;
  return new Date(expires_at).getTime() <= now ? t.ranOut : <Trans sentence={t.runsOut} time={<Time at={expires_at} />} />;
}
