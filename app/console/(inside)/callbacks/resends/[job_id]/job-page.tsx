"use client";

import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../../_components/controls/button.tsx";
import { useNow } from "../../../../_components/controls/clock.tsx";
import { Id, Time } from "../../../../_components/controls/values.tsx";
import { useAnswer } from "../../../../_components/dialogs/use-answer.ts";
import { Refused } from "../../../../_components/dialogs/use-deed.tsx";
import { PageHeader } from "../../../../_components/frame/page-parts.tsx";
import { Earlier, Skeleton, Stale, Trouble } from "../../../../_components/lists/list-states.tsx";
import { absolute } from "../../../../_format/time.ts";
import { useRefresh, useTRPC } from "../../../../_trpc/client.tsx";
import { counted } from "../../resend-dialog.tsx";
import { causeWord } from "../../words.ts";
import { JobItems } from "./job-items.tsx";
import { timeLeft } from "./time-left.ts";

type Job = Answers["callbacks"]["job"];
const FAST_MS = 1_000;
const SLOW_MS = 10_000;

/** How far a resend got. The service does the work: nothing depends on this page being open. */
export function JobPage({ id, mayAbort }: { id: string; mayAbort: boolean }) {
  const trpc = useTRPC();
  const [after, setAfter] = useState<string | null>(null);
  const query = useAnswer(
    useQuery({
      ...trpc.callbacks.job.queryOptions({ id, after }, { placeholderData: keepPreviousData, staleTime: 0 }),
      refetchInterval: ({ state }) => intervalOf(state.data),
    }),
  );
  if (query.isPending) return <Skeleton rows={4} />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const job = query.data;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      <PageHeader
        within={{ href: "/console/callbacks", label: "Callbacks" }}
        title={`Resend of ${counted(job.total)}`}
        actions={<Actions job={job} mayAbort={mayAbort} />}
      >
        <Id value={job.id} what="resend" />
      </PageHeader>
      <p className="muted">
        Started <Time at={job.created_at} form="absolute" />
        {job.by && ` by ${job.by}`}
        {meant(job)}. {job.is_over ? "" : "This page may be closed: the work goes on."}
      </p>
      <Progress job={job} />
      <Earlier of={query}>
        <JobItems items={job.items} />
      </Earlier>
      <div className="pagination">
        <Button disabled={after === null} onClick={() => setAfter(null)}>
          First page
        </Button>
        <Button disabled={job.next === null} onClick={() => setAfter(job.next)}>
          Next page
        </Button>
      </div>
    </>
  );
}

function intervalOf(job: Job | undefined): number | false {
  if (job === undefined || job.is_over) return false;
  return job.counts.queued > 0 ? FAST_MS : SLOW_MS;
}

function meant({ selection }: Job): string {
  if ("callbackIds" in selection) return ", picked one by one";
  const { cause, origin, since } = selection;
  return `${origin ? `, to ${origin}` : ""}${cause ? `, ${causeWord(cause)}` : ""}${since ? `, failed since ${absolute(since, "utc")}` : ""}`;
}

const WORDS = [
  { state: "delivered", word: "Delivered", tone: "executed" },
  { state: "undelivered", word: "Undelivered", tone: "undelivered" },
  { state: "retrying", word: "Retrying", tone: "pending" },
  { state: "queued", word: "Queued", tone: "quoted" },
  { state: "skipped", word: "Skipped", tone: "cancelled" },
  { state: "resent_again", word: "Resent again", tone: "cancelled" },
] as const;

function Progress({ job }: { job: Job }) {
  const now = useNow(1_000);
  const { counts, total } = job;
  const tried = total - counts.queued;
  const seconds = Math.max(1, (now - new Date(job.created_at).getTime()) / 1_000);
  const rate = Math.round((tried / seconds) * 10) / 10;
  const left = timeLeft({ tried, queued: counts.queued, seconds });
  return (
    <section className="job" aria-label="Progress">
      <progress className="job-bar" max={total} value={tried} aria-label="Callbacks tried" />
      <p className="job-line">
        <strong>
          {tried.toLocaleString("en")} of {total.toLocaleString("en")}
        </strong>{" "}
        tried{counts.queued > 0 && rate > 0 && `, ${rate} a second`}
        {left !== null && `, ${left}`}
        {job.aborted_at && (
          <>
            ; aborted <Time at={job.aborted_at} form="absolute" />
          </>
        )}
      </p>
      <ul className="job-counts">
        {WORDS.filter(({ state }) => counts[state] > 0 || state === "delivered").map(({ state, word, tone }) => (
          <li key={state} className="job-count" data-tone={tone}>
            <strong>{counts[state].toLocaleString("en")}</strong> {word}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Actions({ job, mayAbort }: { job: Job; mayAbort: boolean }) {
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
          <span className="button-label">Failures as CSV</span>
        </a>
      )}
      {mayAbort && <Abort job={job} />}
    </>
  );
}

/** Takes back what was not tried yet. */
function Abort({ job }: { job: Job }) {
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
        {`Abort: leave ${job.counts.queued.toLocaleString("en")} untried`}
      </Button>
      {abort.error && <Refused error={abort.error} />}
    </div>
  );
}
