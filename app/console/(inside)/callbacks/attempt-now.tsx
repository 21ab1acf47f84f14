import { useMutation } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { ATTEMPT_NOW } from "./words.ts";

type Translations = typeof ATTEMPT_NOW;

const factOf = (t: Translations) => t.means;

/** Makes one attempt of one callback now. The outcome appears in its list of attempts. */
export function AttemptNow({ callback: { id } }: { callback: { id: string } }) {
  const t = useTranslations(ATTEMPT_NOW);
  const trpc = useTRPC();
  const toast = useToast();
  const attempt = useMutation(
    trpc.callbacks.attempt.mutationOptions({
      onSuccess: () => toast(t.queued, factOf(t)),
      onError: ({ message }) => toast(t.notTried, message),
      onSettled: useRefresh(trpc.callbacks.pathKey(), trpc.settlements.byId.queryKey()),
    }),
  );
  return (
    <Button icon={Zap} pending={attempt.isPending} onClick={() => attempt.mutate({ id })}>
      {t.tryNow}
    </Button>
  );
}

type AttemptManyProps = { scope: { partner_id?: string }; origin: string; cause?: string; count: number };

/** One attempt now for each callback that failed at a receiver. */
export function AttemptMany({ scope, origin, cause, count }: AttemptManyProps) {
  const t = useTranslations(ATTEMPT_NOW);
  const trpc = useTRPC();
  const toast = useToast();
  const attempt = useMutation(
    trpc.callbacks.attemptMany.mutationOptions({
      onSuccess: ({ count: asked }) => toast(asked === 1 ? t.tryingOne : t.tryingMany(t.format.count(asked)), factOf(t)),
      onError: ({ message }) => toast(t.notTried, message),
      onSettled: useRefresh(trpc.callbacks.pathKey()),
    }),
  );
  return (
    <Button icon={Zap} pending={attempt.isPending} onClick={() => attempt.mutate({ ...scope, origin, ...(cause && { cause }) })}>
      {t.tryAll(t.format.count(count))}
    </Button>
  );
}
