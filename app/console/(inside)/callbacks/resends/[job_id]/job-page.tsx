"use client";

import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../../_components/controls/button.tsx";
import { useNow } from "../../../../_components/controls/clock.tsx";
import { Id, Time } from "../../../../_components/controls/values.tsx";
import { useAnswer } from "../../../../_components/dialogs/use-answer.ts";
import { Refused } from "../../../../_components/dialogs/use-confirmed-mutation.tsx";
import { PageHeader } from "../../../../_components/frame/page-parts.tsx";
import { Earlier, ErrorState, Skeleton, Stale } from "../../../../_components/lists/list-states.tsx";
import { useRefresh, useTRPC } from "../../../../_trpc/client.tsx";
import { Trans, useTranslations, type WithShared } from "../../../../_words/words.ts";
import { counted } from "../../resend-dialog.tsx";
import { RESEND_DIALOG } from "../../resend-words.ts";
import { causeWord } from "../../signs.ts";
import { CALLBACK_WORDS } from "../../state-words.ts";
import { JobItems } from "./job-items.tsx";
import { timeLeft } from "./time-left.ts";
import { JOB_PAGE, TIME_LEFT } from "./words.ts";

type Translations = WithShared<typeof JOB_PAGE>;

type Job = Answers["callbacks"]["job"];
const FAST_MS = 1_000;
const SLOW_MS = 10_000;

/** The progress of a resend. The service does the work: nothing depends on this page being open. */
export function JobPage({ id, mayAbort }: { id: string; mayAbort: boolean }) {
  const t = useTranslations(JOB_PAGE);
  const [words, causes] = [useTranslations(RESEND_DIALOG), useTranslations(CALLBACK_WORDS)];
  const trpc = useTRPC();
  const [after, setAfter] = useState<string | null>(null);
  const query = useAnswer(
    useQuery({
      ...trpc.callbacks.job.queryOptions({ id, after }, { placeholderData: keepPreviousData, staleTime: 0 }),
      refetchInterval: ({ state }) => intervalOf(state.data),
    }),
  );
  if (query.isPending) return <Skeleton rows={4} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const job = query.data;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <PageHeader
        within={{ href: "/console/callbacks", label: t.callbacks }}
        title={t.title(counted(job.total, words))}
        actions={<Actions job={job} mayAbort={mayAbort} />}
      >
        <Id value={job.id} what={t.resendNoun} />
      </PageHeader>
      <p className="muted">
        <Trans sentence={t.started(job.by, meant(job, t, causes))} time={<Time at={job.created_at} form="absolute" />} />{" "}
        {job.is_over ? "" : t.pageMayBeClosed}
      </p>
      <Progress job={job} />
      <Earlier of={query}>
        <JobItems items={job.items} />
      </Earlier>
      <div className="pagination">
        <Button disabled={after === null} onClick={() => setAfter(null)}>
          {t.firstPage}
        </Button>
        <Button disabled={job.next === null} onClick={() => setAfter(job.next)}>
          {t.nextPage}
        </Button>
      </div>
    </>
  );
}

function intervalOf(job: Job | undefined): number | false {
  if (job === undefined || job.is_over) return false;
  return job.counts.queued > 0 ? FAST_MS : SLOW_MS;
}

function meant({ selection }: Job, t: Translations, causes: typeof CALLBACK_WORDS): string {
  if ("callbackIds" in selection) return t.pickedSingly;
  const { cause, origin, since } = selection;
  return `${origin ? t.to(origin) : ""}${cause ? `, ${causeWord(cause, causes)}` : ""}${since ? t.failedSince(t.format.absolute(since, "utc")) : ""}`;
}

const translationsOf = (t: Translations) =>
  [
    { state: "delivered", word: t.delivered, tone: "executed" },
    { state: "undelivered", word: t.undelivered, tone: "undelivered" },
    { state: "retrying", word: t.retrying, tone: "pending" },
    { state: "queued", word: t.queued, tone: "quoted" },
    { state: "skipped", word: t.skipped, tone: "cancelled" },
    { state: "resent_again", word: t.resentAgain, tone: "cancelled" },
  ] as const;

function Progress({ job }: { job: Job }) {
  const t = useTranslations(JOB_PAGE);
  const now = useNow(1_000);
  const { counts, total } = job;
  const tried = total - counts.queued;
  const seconds = Math.max(1, (now - new Date(job.created_at).getTime()) / 1_000);
  const rate = Math.round((tried / seconds) * 10) / 10;
  const left = timeLeft({ tried, queued: counts.queued, seconds }, useTranslations(TIME_LEFT));
  return (
    <section className="job" aria-label={t.progress}>
      <progress className="job-bar" max={total} value={tried} aria-label={t.callbacksTried} />
      <p className="job-line">
        <Trans
          sentence={t.tried(counts.queued, rate, left)}
          strong={<strong>{t.triedOf(t.format.count(tried), t.format.count(total))}</strong>}
        />
        {job.aborted_at && <Trans sentence={t.aborted} time={<Time at={job.aborted_at} form="absolute" />} />}
      </p>
      <ul className="job-counts">
        {translationsOf(t)
          .filter(({ state }) => counts[state] > 0 || state === "delivered")
          .map(({ state, word, tone }) => (
            <li key={state} className="job-count" data-tone={tone}>
              <strong>{t.format.count(counts[state])}</strong> {word}
            </li>
          ))}
      </ul>
    </section>
  );
}

function Actions({ job, mayAbort }: { job: Job; mayAbort: boolean }) {
  const t = useTranslations(JOB_PAGE);
  const failed = job.counts.undelivered + job.counts.retrying + job.counts.resent_again;
  return (
    <>
      {failed > 0 && (
        <a
          className="button"
          href={`/console/callbacks/resends/export?${new URLSearchParams({ input: JSON.stringify({ id: job.id }) })}`}
          download
        >
          <Download aria-hidden size={16} />
          <span className="button-label">{t.failuresAsCsv}</span>
        </a>
      )}
      {mayAbort && <Abort job={job} />}
    </>
  );
}

/** Cancels the callbacks that have not been attempted yet. */
function Abort({ job }: { job: Job }) {
  const t = useTranslations(JOB_PAGE);
  const trpc = useTRPC();
  const abort = useMutation(
    trpc.callbacks.abort.mutationOptions({
      onSettled: useRefresh(trpc.callbacks.pathKey()),
    }),
  );
  if (job.aborted_at !== null || job.counts.queued === 0) return null;
  return (
    <div className="job-abort">
      <Button look="danger" pending={abort.isPending} onClick={() => abort.mutate({ id: job.id })}>
        {t.abort(t.format.count(job.counts.queued))}
      </Button>
      {abort.error && <Refused error={abort.error} />}
    </div>
  );
}
