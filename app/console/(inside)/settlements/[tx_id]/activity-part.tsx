import { useQuery } from "@tanstack/react-query";
import type { Answers } from "#server/console/router.ts";
import { Link } from "../../../_components/controls/link.tsx";
import { Id, Time } from "../../../_components/controls/values.tsx";
import { ErrorState, Skeleton } from "../../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { Data, useTranslations, type WithShared } from "../../../_words/words.ts";
import { statusLine } from "../../callbacks/signs.ts";
import { ACTIVITY_PART } from "./words.ts";

type Translations = WithShared<typeof ACTIVITY_PART>;

type Request = Answers["apiLog"]["list"]["data"][number];
/** The log is written asynchronously, in batches. */
const LOOK_MS = 10_000;

/** The partner's requests that changed the settlement or were refused, newest first. Reads are only in the request log. */
export function ActivityPart({ txId }: { txId: string }) {
  const t = useTranslations(ACTIVITY_PART);
  const trpc = useTRPC();
  const options = trpc.apiLog.list.queryOptions({ tx_id: txId, range: "30d", limit: 25, except_reads: true }, { refetchInterval: LOOK_MS });
  const { data, error, isPending, refetch } = useQuery(options);
  if (isPending) return <Skeleton rows={3} />;
  if (!data) return <ErrorState error={error} onRetry={() => void refetch()} compact />;
  return (
    <>
      {data.data.length === 0 ? (
        <p className="muted">{t.none}</p>
      ) : (
        <Table caption={t.caption} columns={columnsOf(t)} rows={data.data} keyOf={({ request_id }) => request_id} />
      )}
      <p className="code-under">
        <Link href={`/console/developers/log?range=30d&settlement=${txId}`}>{t.allRequests}</Link>
      </p>
    </>
  );
}

const columnsOf = (t: Translations): readonly Column<Request>[] => [
  { id: "at", header: t.time, cell: ({ at }) => <Time at={at} form="absolute" />, card: 2.1, aside: true },
  {
    id: "call",
    header: t.request,
    card: 1.1,
    cell: ({ method, path }) => (
      <code className="short" title={`${method} ${path}`}>
        {method} {path.replace("/api/v1", "")}
      </code>
    ),
  },
  {
    id: "status",
    header: t.answer,
    card: 1.2,
    cell: ({ status, code }) => (
      <span className="answer" data-class={Math.floor(status / 100)} translate="no">
        {code ?? statusLine(status)}
      </span>
    ),
  },
  { id: "took", header: t.took, align: "end", cell: ({ duration_ms }) => t.ms(duration_ms) },
  { id: "key", header: t.key, cell: ({ key, person }) => <Data>{key ? `${key.name} …${key.last_four}` : (person ?? "–")}</Data> },
  {
    id: "id",
    header: t.requestId,
    card: 2.2,
    aside: true,
    cell: ({ request_id: id }) => <Id value={id} what={t.requestIdNoun} href={`/console/developers/log/${id}`} />,
  },
];
