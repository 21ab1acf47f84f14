import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { Answers } from "#server/console/router.ts";
import { Id, Time } from "../../../_components/controls/values.tsx";
import { Skeleton, Trouble } from "../../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { statusLine } from "../../callbacks/words.ts";

type Request = Answers["apiLog"]["list"]["data"][number];
/** The log is written behind the requests' backs, in batches. */
const LOOK_MS = 10_000;

/** The partner's requests that did something about it or were refused, newest first. How often it was read, the log tells. */
export function ActivityPart({ txId }: { txId: string }) {
  const trpc = useTRPC();
  const options = trpc.apiLog.list.queryOptions({ tx_id: txId, range: "30d", limit: 25, except_reads: true }, { refetchInterval: LOOK_MS });
  const { data, error, isPending, refetch } = useQuery(options);
  if (isPending) return <Skeleton rows={3} />;
  if (!data) return <Trouble error={error} onRetry={() => void refetch()} compact />;
  return (
    <>
      {data.data.length === 0 ? (
        <p className="muted">No request changed it, or was refused, within 30 days.</p>
      ) : (
        <Table caption="Requests about this settlement" columns={COLUMNS} rows={data.data} keyOf={({ request_id }) => request_id} />
      )}
      <p className="code-under">
        <Link href={`/console/developers/log?range=30d&settlement=${txId}`}>All requests about it, those that only read included</Link>
      </p>
    </>
  );
}

const COLUMNS: readonly Column<Request>[] = [
  { id: "at", header: "Time", cell: ({ at }) => <Time at={at} form="absolute" />, card: 2.1, aside: true },
  {
    ...{ id: "call", header: "Request", card: 1.1 },
    cell: ({ method, path }) => (
      <code className="short" title={`${method} ${path}`}>
        {method} {path.replace("/api/v1", "")}
      </code>
    ),
  },
  {
    ...{ id: "status", header: "Answer", card: 1.2 },
    cell: ({ status, code }) => (
      <span className="answer" data-class={Math.floor(status / 100)}>
        {code ?? statusLine(status)}
      </span>
    ),
  },
  { id: "took", header: "Took", align: "end", cell: ({ duration_ms }) => `${duration_ms} ms` },
  { id: "key", header: "Key", cell: ({ key, person }) => (key ? `${key.name} …${key.last_four}` : (person ?? "–")) },
  {
    ...{ id: "id", header: "Request id", card: 2.2, aside: true },
    cell: ({ request_id: id }) => <Id value={id} what="request id" href={`/console/developers/log/${id}`} />,
  },
];
