import { useQuery } from "@tanstack/react-query";
import { Link } from "#app/console/_components/controls/link.tsx";
import { Time } from "#app/console/_components/controls/values.tsx";
import { Empty, QueryBoundary, Skeleton } from "#app/console/_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import { WORKBENCH } from "./words.ts";

const EVERY_MS = 1_500;
const SHOWN = 25;
const TONES = { delivered: "executed", pending: "pending", undelivered: "failed" } as const;

/** The newest callbacks, as they are tried. */
export function Deliveries({ txId }: { txId: string | null }) {
  const t = useTranslations(WORKBENCH);
  const about = txId === null ? {} : { subject_id: txId };
  const query = useQuery(useTRPC().callbacks.list.queryOptions({ ...about, limit: SHOWN }, { refetchInterval: EVERY_MS, staleTime: 0 }));
  return (
    <QueryBoundary of={query} waiting={<Skeleton rows={5} />}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={t.noCallbacks} />
        ) : (
          <ul className="workbench-list" aria-label={t.callbacks}>
            {data.map(({ id, event, state, created_at, callback_url }) => (
              <li key={id} data-tone={TONES[state]}>
                <span className="workbench-line">
                  <strong>{t.states[state]}</strong>
                  <Link href={`/console/callbacks/${id}`} translate="no">
                    {event}
                  </Link>
                  <Time at={created_at} />
                </span>
                <span className="muted">
                  <Data>{callback_url}</Data>
                </span>
              </li>
            ))}
          </ul>
        )
      }
    </QueryBoundary>
  );
}
