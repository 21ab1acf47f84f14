import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { Link2, Unlink2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../_components/controls/button.tsx";
import { Progress } from "../../_components/controls/progress.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Id, Time } from "../../_components/controls/values.tsx";
import { Refused } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { CHAIN_LINE } from "./words.ts";

/** How far the audit log is verified. Verifies the whole chain again on demand. */
export function ChainLine() {
  const t = useTranslations(CHAIN_LINE);
  const numbered = (seq: number) => `#${t.format.count(seq)}`;
  const trpc = useTRPC();
  const queries = useQueryClient();
  const toast = useToast();
  const state = useQuery(trpc.audit.state.queryOptions(undefined, { refetchInterval: 5_000 }));
  const [isVerifying, setVerifying] = useState(false);
  const verify = useSubscription(
    trpc.audit.verify.subscriptionOptions(undefined, {
      enabled: isVerifying,
      onData: ({ verification: found }) => {
        if (found === null) return;
        setVerifying(false);
        void queries.invalidateQueries({ queryKey: trpc.audit.state.queryKey() });
        toast(found.flaws === 0 ? t.verified(numbered(found.seq)) : t.fails);
      },
      onError: () => setVerifying(false),
    }),
  );
  if (state.isPending) return <Skeleton rows={1} />;
  if (!state.data) return <ErrorState error={state.error} onRetry={() => void state.refetch()} compact />;
  const { seq, unsealed } = state.data;
  const verification = state.data.verification?.seq === 0 ? null : state.data.verification;
  const broken = (verification?.flaws ?? 0) > 0;
  const Mark = broken ? Unlink2 : Link2;
  return (
    <section className="chain-line" aria-label={t.chainSeals} data-broken={broken || undefined}>
      <p className="chain-words">
        <Mark aria-hidden size={16} />
        {verification === null && <span>{t.notVerified(numbered(seq))}</span>}
        {verification && (
          <span>
            {broken ? t.flawsFound(verification.flaws, numbered(verification.seq)) : t.verified(numbered(verification.seq))},{" "}
            <Time at={verification.at} form="absolute" />
            {verification.by && t.verifiedBy(verification.by)}
            {verification.seq < seq && <span className="muted">. {t.notYet(t.format.count(seq - verification.seq))}</span>}
          </span>
        )}
        {unsealed > 0 && <span className="muted">{t.waitForSeal(unsealed)}</span>}
      </p>
      {isVerifying ? (
        <Progress done={verify.data?.checked ?? 0} of={verify.data?.of ?? seq} what={t.entries} onCancel={() => setVerifying(false)} />
      ) : (
        <Button onClick={() => setVerifying(true)}>{t.verifyNow}</Button>
      )}
      {verify.error && <Refused error={verify.error} />}
      {broken && verification && (
        <ol className="flaws" aria-label={t.flaws}>
          {verification.named.slice(0, 10).map(({ seq: number, entry_id, flaw }) => (
            <li key={`${number} ${entry_id} ${flaw}`}>
              {number !== null && <strong>{numbered(number)} </strong>}
              {flaw} {entry_id && <Id value={entry_id} what={t.entryIdNoun} />}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
