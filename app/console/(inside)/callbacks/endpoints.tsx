import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { Tooltip } from "../../_components/controls/tooltip.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Empty, Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { type Column, None, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
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
  const columns: readonly Column<Endpoint>[] = [...COLUMNS, { id: "pause", header: "Sending", cell: pauseOf, card: 4 }];
  if (data.length === 0) return <Empty title="No attempts within seven days" />;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <p className="muted small endpoints-note">
        <Tooltip text={TAKEN_HELP}>
          <button type="button" className="term">
            Callbacks delivered
          </button>
        </Tooltip>
        , then the times of answered attempts over seven days.
      </p>
      <Table caption="Receivers of the last seven days" columns={columns} rows={data} keyOf={({ origin }) => origin} />
    </>
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  { id: "origin", header: "Receiver", pinned: true, cell: ({ origin }) => <code className="url">{origin}</code>, card: 1 },
  {
    ...{ id: "day", header: "24 h", align: "end", card: 2.1 },
    cell: ({ taken_24h }) => <Share {...taken_24h} />,
    inCard: ({ taken_24h }) => (
      <span>
        24 h <Share {...taken_24h} />
      </span>
    ),
  },
  { id: "week", header: "7 d", align: "end", cell: ({ taken_7d }) => <Share {...taken_7d} /> },
  { id: "spark", header: "First attempts, 7 d", cell: ({ spans }) => <Sparkline spans={spans} />, card: 2.2 },
  { id: "times", header: "p50 / p95", align: "end", cell: times, card: 3.1, aside: true },
  { id: "last", header: "Last delivered, failed", cell: (row) => <Last row={row} /> },
  { id: "row", header: "Failures", align: "end", cell: failures, card: 3.2, aside: true },
  { id: "open", header: "Not delivered", align: "end", cell: notTaken, card: 3.3, aside: true },
];

function Share({ share, of }: { share: string | null; of: number }) {
  if (share === null) return <None />;
  return (
    <span>
      {share} %<span className="muted"> of {of.toLocaleString("en")}</span>
    </span>
  );
}

function times({ p50_ms, p95_ms }: Endpoint) {
  if (p50_ms === null || p95_ms === null) return <None />;
  return `${p50_ms.toLocaleString("en")} / ${p95_ms.toLocaleString("en")} ms`;
}

function Last({ row: { last_success_at: good, last_failure_at: bad } }: { row: Endpoint }) {
  const when = (at: string | null) => (at === null ? <span className="none">never</span> : <Time at={at} />);
  return (
    <span>
      {when(good)}, {when(bad)}
    </span>
  );
}

function failures({ consecutive_failures: inARow, timeouts_7d: timeouts }: Endpoint) {
  const parts = [inARow > 0 && `${inARow} in a row`, timeouts > 0 && `${timeouts.toLocaleString("en")} timeouts`].filter(Boolean);
  return parts.length === 0 ? <None /> : parts.join(", ");
}

/** What it owes us an answer for: still retried, and given up. */
function notTaken(row: Endpoint) {
  const parts = (["retrying", "undelivered"] as const).filter((state) => row[state] > 0);
  if (parts.length === 0) return <None />;
  return parts.map((state, index) => (
    <span key={state}>
      {index > 0 && ", "}
      <Link href={`/console/callbacks?tab=${state}&origin=${encodeURIComponent(row.origin)}`}>
        {row[state].toLocaleString("en")} {state}
      </Link>
    </span>
  ));
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
