import { useQuery } from "@tanstack/react-query";
import type { Answers } from "#server/console/router.ts";
import { Link } from "../../_components/controls/link.tsx";
import { Tooltip } from "../../_components/controls/tooltip.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Empty, ErrorState, Skeleton, Stale } from "../../_components/lists/list-states.tsx";
import { type Column, None, Table } from "../../_components/lists/table.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Trans, useTranslations, type WithShared } from "../../_words/words.ts";
import { ENDPOINTS } from "./list-words.ts";
import { ReceiverPause } from "./receiver-pause.tsx";
import { CALLBACK_WORDS } from "./state-words.ts";

type Translations = WithShared<typeof ENDPOINTS>;

type Endpoint = Answers["callbacks"]["endpoints"]["data"][number];
const LOOK_MS = 15_000;

type Props = { scope: { partner_id?: string }; isOperator: boolean; mayPause: boolean };

/** The health of each receiver over the last seven days, failing ones first. */
export function Endpoints({ scope, isOperator, mayPause }: Props) {
  const t = useTranslations(ENDPOINTS);
  const { acceptedHelp: takenHelp } = useTranslations(CALLBACK_WORDS);
  const trpc = useTRPC();
  const query = useQuery(trpc.callbacks.endpoints.queryOptions(scope, { refetchInterval: LOOK_MS }));
  if (query.isPending) return <Skeleton />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data } = query.data;
  const pauseOf = (endpoint: Endpoint) => <ReceiverPause endpoint={endpoint} scope={scope} isOperator={isOperator} mayPause={mayPause} />;
  const columns: readonly Column<Endpoint>[] = [...columnsOf(t), { id: "pause", header: t.sending, cell: pauseOf, card: 4 }];
  if (data.length === 0) return <Empty title={t.noAttempts} />;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <p className="muted small endpoints-note">
        <Trans
          sentence={t.columnsExplained}
          tooltip={
            <Tooltip text={takenHelp}>
              <button type="button" className="term">
                {t.callbacksDelivered}
              </button>
            </Tooltip>
          }
        />
      </p>
      <Table caption={t.caption} columns={columns} rows={data} keyOf={({ origin }) => origin} />
    </>
  );
}

const columnsOf = (t: Translations): readonly Column<Endpoint>[] => [
  { id: "origin", header: t.receiver, pinned: true, cell: ({ origin }) => <code className="url">{origin}</code>, card: 1 },
  {
    id: "day",
    header: t.lastDay,
    align: "end",
    card: 2.1,
    cell: ({ taken_24h }) => <Share {...taken_24h} />,
    inCard: ({ taken_24h }) => (
      <span>
        {t.lastDay} <Share {...taken_24h} />
      </span>
    ),
  },
  { id: "week", header: t.lastWeek, align: "end", cell: ({ taken_7d }) => <Share {...taken_7d} /> },
  { id: "spark", header: t.firstAttemptsOfWeek, cell: ({ spans }) => <Sparkline spans={spans} />, card: 2.2 },
  {
    id: "times",
    header: t.p50P95,
    align: "end",
    cell: (given) => times(given, t),
    card: 3.1,
    aside: true,
    inCard: (given) => (
      <>
        {t.p50P95} {times(given, t)}
      </>
    ),
  },
  { id: "last", header: t.lastOutcome, cell: (row) => <Last row={row} /> },
  {
    id: "row",
    header: t.failures,
    align: "end",
    cell: (given) => failures(given, t),
    card: 3.2,
    aside: true,
    inCard: (given) => (
      <>
        {t.failures} {failures(given, t)}
      </>
    ),
  },
  { id: "open", header: t.notDelivered, align: "end", cell: (row) => notTaken(row, t), card: 3.3, aside: true },
];

function Share({ share, of }: { share: string | null; of: number }) {
  const t = useTranslations(ENDPOINTS);
  if (share === null) return <None />;
  return (
    <span>
      {share} %<span className="muted"> {t.deliveredOf(t.format.count(of))}</span>
    </span>
  );
}

function times({ p50_ms, p95_ms }: Endpoint, t: Translations) {
  if (p50_ms === null || p95_ms === null) return <None />;
  return t.latencies(t.format.count(p50_ms), t.format.count(p95_ms));
}

function Last({ row: { last_success_at: good, last_failure_at: bad } }: { row: Endpoint }) {
  const t = useTranslations(ENDPOINTS);
  const when = (at: string | null) => (at === null ? <span className="none">{t.never}</span> : <Time at={at} />);
  return (
    <span>
      {when(good)}, {when(bad)}
    </span>
  );
}

function failures({ consecutive_failures: inARow, timeouts_7d: timeouts }: Endpoint, t: Translations) {
  const parts = [inARow > 0 && t.inARow(inARow), timeouts > 0 && t.timeouts(t.format.count(timeouts))].filter(Boolean);
  return parts.length === 0 ? <None /> : parts.join(", ");
}

/** Its undelivered callbacks: still retried, and given up. */
function notTaken(row: Endpoint, t: Translations) {
  const parts = (["retrying", "undelivered"] as const).filter((state) => row[state] > 0);
  if (parts.length === 0) return <None />;
  return parts.map((state, index) => (
    <span key={state}>
      {index > 0 && ", "}
      <Link href={`/console/callbacks?tab=${state}&origin=${encodeURIComponent(row.origin)}`}>{t[state](t.format.count(row[state]))}</Link>
    </span>
  ));
}

const BAR = 4;
const HEIGHT = 20;

/** A bar per six hours: the number of first attempts, with failed ones marked. */
function Sparkline({ spans }: { spans: Endpoint["spans"] }) {
  const t = useTranslations(ENDPOINTS);
  const most = Math.max(1, ...spans.map(({ tried }) => tried));
  const tried = spans.reduce((sum, span) => sum + span.tried, 0);
  const good = spans.reduce((sum, span) => sum + span.good, 0);
  const height = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT));
  return (
    <svg className="sparkline" width={spans.length * BAR} height={HEIGHT} role="img" aria-label={t.firstAttemptsSucceeded(good, tried)}>
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
