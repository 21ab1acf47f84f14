import { CircleAlert, Inbox, RotateCw, SearchX } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "#app/console/_components/controls/button.tsx";
import { CopyButton } from "#app/console/_components/controls/copy-button.tsx";
import { Time } from "#app/console/_components/controls/values.tsx";
import type { Answer } from "#app/console/_components/dialogs/use-answer.ts";
import { Announcement } from "#app/console/_components/frame/page-parts.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";
import { Served, Trans, useTranslations } from "../../_words/words.ts";
import { Link } from "../controls/link.tsx";
import { LIST_STATES } from "./words.ts";

/** The four states of every list other than rows. */

/** Grey rows of the same height as real ones, only after a moment, because most answers are faster. */
export function Skeleton({ rows = 8, label }: { rows?: number; label?: string }) {
  const t = useTranslations(LIST_STATES);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="skeleton" data-shown={late || undefined} aria-busy="true">
      <Announcement>{label ?? t.loading}</Announcement>
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((key) => (
        <div key={key} className="skeleton-row" />
      ))}
    </div>
  );
}

/** A grey placeholder for content other than a list, with the same height, so that nothing below moves. */
export function Shape({ of, label }: { of: "health" | "figures" | "plot"; label: string }) {
  return (
    <div className={`shape shape-${of}`} aria-busy="true">
      <Announcement>{label}</Announcement>
      {Array.from({ length: of === "plot" ? 1 : 5 }, (_, part) => `part ${part}`).map((key) => (
        <div key={key} className="shape-part" />
      ))}
    </div>
  );
}

/** Empty: one sentence, and what to do next. */
export function Empty({ title, more, children }: { title: string; more?: string; children?: ReactNode }) {
  return (
    <div className="state">
      <Inbox aria-hidden size={20} />
      <p className="state-title">{title}</p>
      {(more || children) && (
        <div className="state-more">
          {more && <p>{more}</p>}
          {children}
        </div>
      )}
    </div>
  );
}

/** There are rows, but none that match. */
export function NoMatch({ children, onClear }: { children: ReactNode; onClear?: () => void }) {
  const t = useTranslations(LIST_STATES);
  return (
    <div className="state">
      <SearchX aria-hidden size={20} />
      <p className="state-title">{t.noMatch}</p>
      <div className="state-more">{children}</div>
      {onClear && <Button onClick={onClear}>{t.clearFilters}</Button>}
    </div>
  );
}

/** The error in plain words, the request id for support, and a retry button. */
export function ErrorState({ error, onRetry, compact = false }: { error: unknown; onRetry?: () => void; compact?: boolean }) {
  const t = useTranslations(LIST_STATES);
  const refusal = refusalOf(error);
  return (
    <div className="state trouble" role="alert" data-compact={compact || undefined}>
      <CircleAlert aria-hidden size={20} />
      <div className="state-more">
        <p className="state-title">{refusal ? <Served>{refusal.title}</Served> : t.noAnswer}</p>
        {refusal && refusal.detail !== `${refusal.title}.` && (
          <p>
            <Served>{refusal.detail}</Served>
          </p>
        )}
        {!refusal && <p>{t.noAnswerMore}</p>}
        <RequestId id={refusal?.request_id ?? null} />
      </div>
      {onRetry && (
        <Button icon={RotateCw} onClick={onRetry}>
          {t.retry}
        </Button>
      )}
    </div>
  );
}

/** A query, or the result of `useAnswer` where its previous answer may show meanwhile. */
type QueryBoundary<Data> = Pick<Answer<Data>, "data" | "error" | "isPending" | "dataUpdatedAt" | "refetch"> & { isEarlier?: boolean };
type QueryBoundaryProps<Data> = {
  of: QueryBoundary<Data>;
  /** Shown until the answer arrives; default: grey rows. */
  waiting?: ReactNode;
  compact?: boolean;
  children: (data: Data) => ReactNode;
};

/** A query's content in each of its states: loading, failed, showing the previous query, or stale. */
export function QueryBoundary<Data>({ of, waiting = <Skeleton />, compact = false, children }: QueryBoundaryProps<Data>) {
  const { data, error, isPending, dataUpdatedAt, refetch } = of;
  const retry = () => void refetch();
  if (isPending) return waiting;
  if (data === undefined) return <ErrorState error={error} onRetry={retry} compact={compact} />;
  const shown = (
    <>
      {error !== null && <Stale since={dataUpdatedAt} error={error} onRetry={retry} />}
      {children(data)}
    </>
  );
  return of.isEarlier === undefined ? shown : <Earlier of={{ isEarlier: of.isEarlier }}>{shown}</Earlier>;
}

/** Wraps a query's content: while it still shows the previous query, it is dimmed and says so. */
export function Earlier({ of: { isEarlier }, children }: { of: { isEarlier: boolean }; children: ReactNode }) {
  const t = useTranslations(LIST_STATES);
  return (
    <div className="answer" aria-busy={isEarlier} data-earlier={isEarlier || undefined}>
      <span className="earlier" role="status">
        {isEarlier && t.refreshing}
      </span>
      {children}
    </div>
  );
}

/** The request id for support, linked to the call in the API log. */
export function RequestId({ id }: { id: string | null }) {
  const t = useTranslations(LIST_STATES);
  if (id === null) return null;
  return (
    <p className="request-id">
      <Trans
        sentence={t.requestOf}
        id={
          <Link href={`/console/developers/log/${id}`}>
            <code>{id}</code>
          </Link>
        }
      />
      <CopyButton text={id} label={t.copyRequestId} />
    </p>
  );
}

/** Rows whose refetch failed stay, with their age. */
export function Stale({ since, error, onRetry }: { since: number; error: unknown; onRetry: () => void }) {
  const t = useTranslations(LIST_STATES);
  const title = refusalOf(error)?.title;
  return (
    <div className="stale" role="status">
      <CircleAlert aria-hidden size={16} />
      <span>
        <Trans
          sentence={t.showingOld}
          time={<Time at={new Date(since).toISOString()} form="absolute" />}
          why={title === undefined ? t.noAnswerReason : <Served>{title}</Served>}
        />
      </span>
      <Button look="quiet" onClick={onRetry}>
        {t.retry}
      </Button>
    </div>
  );
}
