import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Dialog } from "../../_components/dialogs/dialog.tsx";
import { ErrorState, Skeleton, Stale } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, Trans, useTranslations } from "../../_words/words.ts";
import { AttemptMany } from "./attempt-now.tsx";
import { CALLBACK_GROUPS } from "./list-words.ts";
import { Paused } from "./paused.tsx";
import type { Selection } from "./resend-dialog.tsx";
import { CALLBACKS, type CallbackParams, type SetParams, scopeOf } from "./search-params.ts";

type Groups = Answers["callbacks"]["groups"];
type Props = {
  state: "undelivered" | "retrying";
  params: CallbackParams;
  set: SetParams;
  isOperator: boolean;
  /** null: the user has no permission. */
  onResend: ((selection: Selection) => void) | null;
};

/** No event announces the outcomes of attempts. */
const LOOK_MS = 10_000;

/**
 * Undelivered callbacks by cause and receiver, and what to do: resend those that were given up, or attempt at once those still being
 * retried.
 */
export function CallbackGroups({ state, params, set, isOperator, onResend }: Props) {
  const t = useTranslations(CALLBACK_GROUPS);
  const trpc = useTRPC();
  const scope = scopeOf(params);
  const query = useQuery(trpc.callbacks.groups.queryOptions({ ...scope, state }, { refetchInterval: LOOK_MS }));
  if (query.isPending) return <Skeleton rows={3} />;
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data: groups, jobs } = query.data;
  if (groups.length === 0 && jobs.length === 0) return null;
  return (
    <>
      {query.error && <Stale since={query.dataUpdatedAt} error={query.error} onRetry={() => void query.refetch()} />}
      {groups.length > 0 && (
        <section aria-label={t.title} className="groups">
          <ul>
            {groups.map((group) => (
              <li key={`${group.cause} ${group.origin}`} className="group">
                <Group
                  group={group}
                  isOperator={isOperator}
                  isChosen={group.cause === params.cause && group.origin === params.origin}
                  onChoose={() => set({ ...CALLBACKS.fromTheTop, cause: group.cause, origin: group.origin })}
                  mutation={
                    onResend &&
                    (state === "retrying" ? (
                      <AttemptMany scope={scope} origin={group.origin} cause={group.cause} count={group.count} />
                    ) : (
                      <Button icon={RotateCw} onClick={() => onResend({ ...scope, cause: group.cause, origin: group.origin })}>
                        {t.resendAll(t.format.count(group.count))}
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
  mutation: ReactNode;
};

function Group({ group, isOperator, isChosen, onChoose, mutation }: GroupProps) {
  const t = useTranslations(CALLBACK_GROUPS);
  const { title, tip, origin, count, oldest_at, sample } = group;
  return (
    <>
      <div className="group-main">
        <p className="group-title">
          <span className="group-cause" lang="en">
            {title}
          </span>{" "}
          {isOperator && <Data>{namesOf(group)}</Data>} <code>{origin}</code> <Paused url={origin} />
        </p>
        <p lang="en">{tip}</p>
        <p className="muted small">
          <Trans sentence={t.failedSince} time={<Time at={oldest_at} form="absolute" />} />{" "}
          <Link href={`/console/callbacks/${sample.callback_id}`}>{t.latest}</Link>
        </p>
      </div>
      <div className="group-actions">
        <Button aria-pressed={isChosen} onClick={onChoose}>
          {t.show(t.format.count(count))}
        </Button>
        {mutation}
      </div>
    </>
  );
}

function namesOf({ partners, partner_count }: Pick<Groups["data"][number], "partners" | "partner_count">): string {
  const others = partner_count - partners.length;
  return `${partners.join(", ")}${others > 0 ? ` +${others}` : ""}`;
}

/** All that were given up since an instant, for any cause. */
function ResendSince({ onResend }: { onResend: (since: string) => void }) {
  const t = useTranslations(CALLBACK_GROUPS);
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
        {t.resendSince}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t.resendTitle}>
        <TextField label={t.failedSinceUtc} type="datetime-local" value={text} onChange={({ target }) => setText(target.value)} />
        <div className="dialog-buttons">
          <Button onClick={() => setOpen(false)}>{t.cancel}</Button>
          <Button look="primary" disabled={!isValid} onClick={next}>
            {t.count}
          </Button>
        </div>
      </Dialog>
    </p>
  );
}

function RecentJobs({ jobs }: { jobs: Groups["jobs"] }) {
  const t = useTranslations(CALLBACK_GROUPS);
  return (
    <section aria-label={t.recentResends} className="recent-jobs">
      <h2>{t.recentResends}</h2>
      <ul>
        {jobs.map(({ id, created_at, total, counts, is_over, by }) => (
          <li key={id}>
            <Link href={`/console/callbacks/resends/${id}`}>{total === 1 ? t.oneCallback : t.callbacks(t.format.count(total))}</Link>{" "}
            <span className="muted">
              <Trans
                sentence={t.resendOutcome(by, counts.delivered, counts.undelivered, is_over, counts.queued, counts.retrying)}
                time={<Time at={created_at} />}
              />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
