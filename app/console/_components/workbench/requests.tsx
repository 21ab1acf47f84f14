import { useQuery } from "@tanstack/react-query";
import { Link } from "#app/console/_components/controls/link.tsx";
import { Time } from "#app/console/_components/controls/values.tsx";
import { Empty, QueryBoundary, Skeleton } from "#app/console/_components/lists/list-states.tsx";
import type { Answers } from "#server/console/router.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { WORKBENCH } from "./words.ts";

type Request = Answers["apiLog"]["list"]["data"][number];

const EVERY_MS = 1_500;
const SHOWN = 25;

/** The newest requests, as they come, each refused signature with its named mistake. */
export function Requests({ txId }: { txId: string | null }) {
  const t = useTranslations(WORKBENCH);
  const about = txId === null ? { range: "1h" as const } : { range: "30d" as const, tx_id: txId };
  const query = useQuery(useTRPC().apiLog.list.queryOptions({ ...about, limit: SHOWN }, { refetchInterval: EVERY_MS, staleTime: 0 }));
  return (
    <QueryBoundary of={query} waiting={<Skeleton rows={5} />}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={t.noRequests} more={t.noRequestsMore} />
        ) : (
          <ul className="workbench-list" aria-label={t.requests}>
            {data.map((request) => (
              <li key={request.request_id} data-tone={toneOf(request.status)}>
                <span className="workbench-line">
                  <strong>{request.status}</strong>
                  <Link href={`/console/developers/log/${request.request_id}`} translate="no">
                    {request.method} {request.path}
                  </Link>
                  <Time at={request.at} form="absolute" />
                </span>
                {request.code !== null && <code translate="no">{request.code}</code>}
                {request.explainable && <Mistake request={request} />}
              </li>
            ))}
          </ul>
        )
      }
    </QueryBoundary>
  );
}

function toneOf(status: number): string {
  return status < 400 ? "executed" : status < 500 ? "pending" : "failed";
}

/** The sentence of the service that names the mistake. */
function Mistake({ request: { request_id } }: { request: Request }) {
  const still = { staleTime: Number.POSITIVE_INFINITY, meta: { still: true } };
  const { data } = useQuery(useTRPC().apiLog.explain.queryOptions({ request_id }, still));
  return data ? (
    <span className="workbench-mistake" lang="en">
      {data.verdict.sentence}
    </span>
  ) : null;
}
