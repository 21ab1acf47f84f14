import { useQuery } from "@tanstack/react-query";
import { Button } from "../../_components/controls/button.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Skeleton, Trouble } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { differences, type Owner, setOf, type TermsSet } from "./pair-words.ts";

import { Differences } from "./terms-preview.tsx";

type HistoryProps = { owner: Owner; onRevert?: (terms: TermsSet, version: number) => void };

/** Every version with who made it and why. Going back to one makes a new version of the same terms. */
export function History({ owner, onRevert }: HistoryProps) {
  const trpc = useTRPC();
  const history = useQuery(trpc.rates.history.queryOptions(owner));
  if (history.isPending) return <Skeleton rows={3} />;
  if (!history.data) return <Trouble error={history.error} onRetry={() => void history.refetch()} />;
  return (
    <ol className="versions" aria-label="Versions, the newest first">
      {history.data.map(({ terms, entry }, index) => {
        const before = history.data[index + 1]?.terms;
        return (
          <li key={terms.version}>
            <div className="card-line">
              <strong>Version {terms.version}</strong>
              <Time at={terms.created_at} />
            </div>
            <p className="muted">
              {entry?.actor.name ?? "The installation"}
              {entry?.reason && `: ${entry.reason}`}
            </p>
            {terms.withdrawn ? (
              <p>Withdrawn: the pair's own terms hold.</p>
            ) : (
              before && <Differences list={differences(before.withdrawn ? null : setOf(before), setOf(terms), owner)} />
            )}
            {onRevert && index > 0 && !terms.withdrawn && (
              <Button onClick={() => onRevert(setOf(terms), terms.version)}>Go back to version {terms.version}</Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
