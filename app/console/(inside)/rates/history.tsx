import { useQuery } from "@tanstack/react-query";
import { Button } from "../../_components/controls/button.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { Data, useTranslations } from "../../_words/words.ts";
import { differences, type Owner, setOf, type TermsSet } from "./pair-words.ts";
import { Differences } from "./terms-preview.tsx";
import { HISTORY, TERMS } from "./terms-words.ts";

type HistoryProps = { owner: Owner; onRevert?: (terms: TermsSet, version: number) => void };

/** Every version, with its author and reason. Going back to one creates a new version with the same terms. */
export function History({ owner, onRevert }: HistoryProps) {
  const t = useTranslations(HISTORY);
  const fields = useTranslations(TERMS);
  const trpc = useTRPC();
  const history = useQuery(trpc.rates.history.queryOptions(owner));
  if (history.isPending) return <Skeleton rows={3} />;
  if (!history.data) return <ErrorState error={history.error} onRetry={() => void history.refetch()} />;
  return (
    <ol className="versions" aria-label={t.label}>
      {history.data.map(({ terms, entry }, index) => {
        const before = history.data[index + 1]?.terms;
        return (
          <li key={terms.version}>
            <div className="card-line">
              <strong>{t.version(terms.version)}</strong>
              <Time at={terms.created_at} />
            </div>
            <p className="muted">
              {entry?.actor.name ? <Data>{entry.actor.name}</Data> : t.theInstallation}
              {entry?.reason && <Data>: {entry.reason}</Data>}
            </p>
            {terms.withdrawn ? (
              <p>{t.withdrawn}</p>
            ) : (
              before && <Differences list={differences(before.withdrawn ? null : setOf(before), setOf(terms), owner, fields)} />
            )}
            {onRevert && index > 0 && !terms.withdrawn && (
              <Button onClick={() => onRevert(setOf(terms), terms.version)}>{t.goBackVersion(terms.version)}</Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
