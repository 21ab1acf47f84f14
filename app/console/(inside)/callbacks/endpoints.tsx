"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import type { Answers } from "#server/trpc/router.ts";
import { Empty, Skeleton, Stale, Trouble } from "../../_components/list-states.tsx";
import { type Column, Table } from "../../_components/table.tsx";
import { Time } from "../../_components/time.tsx";
import { Tooltip } from "../../_components/tooltip.tsx";
import { useTRPC } from "../../_trpc/client.ts";
import { ReceiverPause } from "./receiver-pause.tsx";
import { TAKEN_HELP } from "./words.ts";

type Endpoint = Answers["callbacks"]["endpoints"]["data"][number];
const LOOK_MS = 15_000;

type Props = { scope: { partner_id?: string }; isOperator: boolean; mayPause: boolean };

/** How each receiver of the last seven days does, those in trouble first. */
export function Endpoints({ scope, isOperator, mayPause }: Props) {
  const trpc = useTRPC();
  const query = useQuery(trpc.callbacks.endpoints.queryOptions(scope, { refetchInterval: LOOK_MS }));
  if (query.isPending) return <Skeleton />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const { data } = query.data;
  const pauseOf = (endpoint: Endpoint) => <ReceiverPause endpoint={endpoint} scope={scope} isOperator={isOperator} mayPause={mayPause} />;
  const columns: readonly Column<Endpoint>[] = [...COLUMNS, { id: "pause", header: "Sending", cell: pauseOf }];
  if (data.length === 0) return <Empty title="No attempts within seven days" />;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <p className="muted small endpoints-note">
        <Tooltip text={TAKEN_HELP}>
          <button type="button" className="term">
            Callbacks taken
          </button>
        </Tooltip>
        , then the times of answered attempts over seven days.
      </p>
      <Table
        caption="Receivers of the last seven days"
        columns={columns}
        rows={data}
        keyOf={({ origin }) => origin}
        card={(row) => <Card row={row} pause={pauseOf(row)} />}
      />
    </>
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  { id: "origin", header: "Receiver", pinned: true, cell: ({ origin }) => <code>{origin}</code> },
  { id: "day", header: "24 h", align: "end", cell: ({ taken_24h }) => <Share {...taken_24h} /> },
  { id: "week", header: "7 d", align: "end", cell: ({ taken_7d }) => <Share {...taken_7d} /> },
  { id: "spark", header: "First attempts, 7 d", cell: ({ spans }) => <Sparkline spans={spans} /> },
  { id: "p50", header: "p50", align: "end", cell: ({ p50_ms }) => <Milliseconds ms={p50_ms} /> },
  { id: "p95", header: "p95", align: "end", cell: ({ p95_ms }) => <Milliseconds ms={p95_ms} /> },
  { id: "good", header: "Last success", cell: ({ last_success_at }) => <When at={last_success_at} /> },
  { id: "bad", header: "Last failure", cell: ({ last_failure_at }) => <When at={last_failure_at} /> },
  { id: "row", header: "Failed in a row", align: "end", cell: ({ consecutive_failures }) => consecutive_failures },
  { id: "timeouts", header: "Timeouts", align: "end", cell: ({ timeouts_7d }) => timeouts_7d },
  { id: "retrying", header: "Retrying", align: "end", cell: (row) => <Open row={row} state="retrying" /> },
  { id: "undelivered", header: "Undelivered", align: "end", cell: (row) => <Open row={row} state="undelivered" /> },
];

function Share({ share, of }: { share: string | null; of: number }) {
  if (share === null) return <span className="none">–</span>;
  return (
    <span>
      {share} %<span className="muted"> of {of.toLocaleString("en")}</span>
    </span>
  );
}

function Milliseconds({ ms }: { ms: number | null }) {
  return ms === null ? <span className="none">–</span> : `${ms.toLocaleString("en")} ms`;
}

function When({ at }: { at: string | null }) {
  return at === null ? <span className="none">Never</span> : <Time at={at} />;
}

function Open({ row, state }: { row: Endpoint; state: "undelivered" | "retrying" }) {
  const count = row[state];
  if (count === 0) return 0;
  return <Link href={`/console/callbacks?tab=${state}&origin=${encodeURIComponent(row.origin)}`}>{count.toLocaleString("en")}</Link>;
}

const BAR = 4;
const HEIGHT = 20;

/** A bar for each six hours: how many first attempts there were, the failed ones marked. */
function Sparkline({ spans }: { spans: Endpoint["spans"] }) {
  const most = Math.max(1, ...spans.map(({ tried }) => tried));
  const tried = spans.reduce((sum, span) => sum + span.tried, 0);
  const good = spans.reduce((sum, span) => sum + span.good, 0);
  const height = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT));
  return (
    <svg
      className="sparkline"
      width={spans.length * BAR}
      height={HEIGHT}
      role="img"
      aria-label={`${good} of ${tried} first attempts succeeded in seven days`}
    >
      {spans.map((span, index) => {
        const [all, failed] = [height(span.tried), height(span.tried - span.good)];
        const key = `${index - spans.length}`;
        return (
          <g key={key}>
            <rect className="spark-good" x={index * BAR} y={HEIGHT - all} width={BAR - 1} height={all} />
            <rect className="spark-bad" x={index * BAR} y={HEIGHT - failed} width={BAR - 1} height={failed} />
          </g>
        );
      })}
      <line className="spark-line" x1={0} x2={spans.length * BAR} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
    </svg>
  );
}

function Card({ row, pause }: { row: Endpoint; pause: ReactNode }) {
  return (
    <>
      <div className="card-line">
        <code className="url">{row.origin}</code>
      </div>
      <div className="card-line">
        <span>
          24 h <Share {...row.taken_24h} />
        </span>
        <Sparkline spans={row.spans} />
      </div>
      <div className="card-line muted">
        <span>
          p95 <Milliseconds ms={row.p95_ms} />
        </span>
        <span>{row.consecutive_failures} failed in a row</span>
        <span>
          <Open row={row} state="retrying" /> retrying, <Open row={row} state="undelivered" /> undelivered
        </span>
      </div>
      <div className="card-line">{pause}</div>
    </>
  );
}
