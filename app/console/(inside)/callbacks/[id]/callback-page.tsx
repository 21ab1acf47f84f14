"use client";

import { useQuery } from "@tanstack/react-query";
import { Badge, Id, KeyValues, Time } from "../../../_components/controls/values.tsx";
import { PageHeader } from "../../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton, Stale } from "../../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { Data, useTranslations } from "../../../_words/words.ts";
import { AttemptNow } from "../attempt-now.tsx";
import { CallbackBody } from "../callback-view.tsx";
import { Paused } from "../paused.tsx";
import { ResendOne } from "../resend-one.tsx";
import { signOf, subjectPage } from "../signs.ts";
import { CALLBACK_WORDS, EVENT_WORDS } from "../state-words.ts";
import { CALLBACK_PAGE } from "./words.ts";

/** No event announces attempts, so the page polls while any may follow. */
const MOVING_MS = 2_000;

/** One callback with everything that was sent and came back. */
export function CallbackPage({ id, isOperator, mayResend }: { id: string; isOperator: boolean; mayResend: boolean }) {
  const t = useTranslations(CALLBACK_PAGE);
  const [events, words] = [useTranslations(EVENT_WORDS), useTranslations(CALLBACK_WORDS)];
  const trpc = useTRPC();
  const options = trpc.callbacks.byId.queryOptions({ id });
  const query = useQuery({ ...options, refetchInterval: ({ state }) => (state.data?.state === "pending" ? MOVING_MS : false) });
  useLiveChanges(({ action, object_id }) => object_id === id || action.startsWith("callbacks."), useRefresh(options.queryKey));
  if (query.isPending) return <Skeleton rows={6} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const callback = query.data;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <PageHeader
        within={{ href: "/console/callbacks", label: t.callbacks }}
        title={t.callback(events[callback.event] ?? callback.event)}
        actions={
          mayResend && (
            <>
              {callback.state !== "delivered" && <AttemptNow callback={callback} />}
              {callback.state !== "pending" && <ResendOne callback={callback} keys="r" />}
            </>
          )
        }
      >
        <Badge {...signOf(callback, words)} />
        <Id value={callback.id} what={t.callbackNoun} />
      </PageHeader>
      {callback.state !== "delivered" && <Paused url={callback.callback_url} partnerId={callback.partner.id} full />}
      <div className="callback-facts">
        <KeyValues
          items={[
            { key: t.receiver, value: <code className="url">{callback.callback_url}</code> },
            { key: t.about, value: <Id value={callback.subject_id} what={t.id} href={subjectPage(callback.subject_id)} /> },
            { key: t.event, value: <code>{callback.event}</code> },
            isOperator && { key: t.partner, value: <Data>{callback.partner.name}</Data> },
            { key: t.created, value: <Time at={callback.created_at} form="absolute" /> },
            callback.delivered_at !== null && { key: t.delivered, value: <Time at={callback.delivered_at} form="absolute" /> },
            callback.undelivered_at !== null && { key: t.givenUp, value: <Time at={callback.undelivered_at} form="absolute" /> },
          ]}
        />
      </div>
      <CallbackBody callback={callback} openFirst />
    </>
  );
}
