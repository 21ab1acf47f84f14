import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { Skeleton, Stale, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Served } from "../../_words/served.tsx";
import { Told } from "../../_words/told.tsx";
import { useWords } from "../../_words/words.ts";
import { AttemptMany } from "./attempt-now.tsx";
import { CALLBACK_GROUPS } from "./list-words.ts";
import type { Selection } from "./resend-dialog.tsx";
import { CALLBACKS, type CallbackParams, type SetParams, scopeOf } from "./search-params.ts";

type Groups = Answers["callbacks"]["groups"];
type Props = {
  state: "undelivered" | "retrying";
  params: CallbackParams;
  set: SetParams;
  isOperator: boolean;
  /** null: who looks may not. */
  onResend: ((selection: Selection) => void) | null;
};

/** What becomes of attempts is told nowhere. */
const LOOK_MS = 10_000;

/** What is not taken, by why and by whom, with what to do about it: begin what was given up anew, try at once what is still retried. */
export function CallbackGroups({ state, params, set, isOperator, onResend }: Props) {
  const says = useWords(CALLBACK_GROUPS);
  const trpc = useTRPC();
  const scope = scopeOf(params);
  const query = useQuery(trpc.callbacks.groups.queryOptions({ ...scope, state }, { refetchInterval: LOOK_MS }));
  if (query.isPending) return <Skeleton rows={3} />;
  if (!query.data) return <Trouble error={query.error} onRetry={() => void query.refetch()} />;
  const { data: groups, jobs } = query.data;
  if (groups.length === 0 && jobs.length === 0) return null;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      {groups.length > 0 && (
        <section aria-label={says.byCauseReceiver} className="groups">
          <ul>
            {groups.map((group) => (
              <li key={`${group.cause} ${group.origin}`} className="group">
                <Group
                  group={group}
                  isOperator={isOperator}
                  isChosen={group.cause === params.cause && group.origin === params.origin}
                  onChoose={() => set({ ...CALLBACKS.fromTheTop, cause: group.cause, origin: group.origin })}
                  deed={
                    onResend &&
                    (state === "retrying" ? (
                      <AttemptMany scope={scope} origin={group.origin} cause={group.cause} count={group.count} />
                    ) : (
                      <Button icon={RotateCw} onClick={() => onResend({ ...scope, cause: group.cause, origin: group.origin })}>
                        {says.resendAll(group.count.toLocaleString("en"))}
                      </Button>
                    ))
                  }
                />
              </li>
            ))}
          </ul>
          {onResend && state === "undelivered" && <ResendSince onResend={(since) => onResend({ ...scope, since })} />}
        </section>
      )}
      {jobs.length > 0 && <RecentJobs jobs={jobs} />}
    </>
  );
}

type GroupProps = {
  group: Groups["data"][number];
  isOperator: boolean;
  isChosen: boolean;
  onChoose: () => void;
  deed: ReactNode;
};

function Group({ group, isOperator, isChosen, onChoose, deed }: GroupProps) {
  const says = useWords(CALLBACK_GROUPS);
  const { title, tip, origin, count, partners, oldest_at, sample } = group;
  return (
    <>
      <div className="group-main">
        <p className="group-title">
          <span className="group-cause" lang="en">
            {title}
          </span>{" "}
          <code>{origin}</code>
        </p>
        <p lang="en">{tip}</p>
        <p className="muted small">
          <Told sentence={says.failedSinceLatest(isOperator, partners)} time={<Time at={oldest_at} form="absolute" />} />{" "}
          <Link href={`/console/callbacks/${sample.callback_id}`}>
            {sample.error === null ? says.oneThem : <Served>{sample.error}</Served>}
          </Link>
        </p>
      </div>
      <div className="group-actions">
        <Button aria-pressed={isChosen} onClick={onChoose}>
          {says.show(count.toLocaleString("en"))}
        </Button>
        {deed}
      </div>
    </>
  );
}

/** All that were given up since an instant, whatever the cause. */
function ResendSince({ onResend }: { onResend: (since: string) => void }) {
  const says = useWords(CALLBACK_GROUPS);
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const since = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) ? new Date(`${text}Z`) : null;
  const isValid = since !== null && !Number.isNaN(since.getTime());
  const next = () => {
    if (!isValid) return;
    setOpen(false);
    onResend(since.toISOString());
  };
  return (
    <p className="groups-more">
      <Button look="quiet" onClick={() => setOpen(true)}>
        {says.resendAllFailed}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={says.resendWhatFailed}>
        <TextField label={says.failedSinceUtc} type="datetime-local" value={text} onChange={({ target }) => setText(target.value)} />
        <div className="dialog-buttons">
          <Button onClick={() => setOpen(false)}>{says.cancel}</Button>
          <Button look="primary" disabled={!isValid} onClick={next}>
            {says.countThem}
          </Button>
        </div>
      </Dialog>
    </p>
  );
}

function RecentJobs({ jobs }: { jobs: Groups["jobs"] }) {
  const says = useWords(CALLBACK_GROUPS);
  return (
    <section aria-label={says.recentResends} className="recent-jobs">
      <h2>{says.recentResends}</h2>
      <ul>
        {jobs.map(({ id, created_at, total, counts, is_over, by }) => (
          <li key={id}>
            <Link href={`/console/callbacks/resends/${id}`}>
              {total === 1 ? says.so1Callback : says.callbacks(total.toLocaleString("en"))}
            </Link>{" "}
            <span className="muted">
              <Told
                sentence={says.deliveredUndelivered(by, counts.delivered, counts.undelivered, is_over, counts.queued, counts.retrying)}
                time={<Time at={created_at} />}
              />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
