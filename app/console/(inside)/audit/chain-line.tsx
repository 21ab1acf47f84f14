import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link2, Unlink2 } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { Id, Time } from "../../_components/controls/values.tsx";
import { Refused } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { ErrorState, Skeleton } from "../../_components/lists/list-states.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { patience } from "../../_trpc/deadline.ts";
import { useTranslations } from "../../_words/words.ts";
import { CHAIN_LINE } from "./words.ts";

/** Every entry is hashed again. */
const WHOLE_LOG_MS = 120_000;

/** How far the audit log is verified. Verifies the whole chain again on demand. */
export function ChainLine() {
  const t = useTranslations(CHAIN_LINE);
  const numbered = (seq: number) => `#${t.format.count(seq)}`;
  const trpc = useTRPC();
  const queries = useQueryClient();
  const toast = useToast();
  const state = useQuery(trpc.audit.state.queryOptions(undefined, { refetchInterval: 5_000 }));
  const verify = useMutation(
    trpc.audit.verify.mutationOptions({
      trpc: { context: patience(WHOLE_LOG_MS) },
      onSuccess: async ({ seq, flaws }) => {
        await queries.invalidateQueries({ queryKey: trpc.audit.state.queryKey() });
        toast(flaws === 0 ? t.verified(numbered(seq)) : t.fails);
      },
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
            {verification.seq < seq && <span className="muted"> {t.sealed(numbered(seq))}</span>}
          </span>
        )}
        {unsealed > 0 && <span className="muted">{t.waitForSeal(unsealed)}</span>}
      </p>
      <Button pending={verify.isPending} onClick={() => verify.mutate()}>
        {t.verifyNow}
      </Button>
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
