import { useMutation } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useWords } from "../../_words/words.ts";
import { ATTEMPT_NOW } from "./words.ts";

type Says = typeof ATTEMPT_NOW;

const factOf = (says: Says) => says.besideSixIf;

/** One attempt of one callback now. What comes of it stands among its attempts. */
export function AttemptNow({ callback: { id } }: { callback: { id: string } }) {
  const says = useWords(ATTEMPT_NOW);
  const trpc = useTRPC();
  const toast = useToast();
  const attempt = useMutation(
    trpc.callbacks.attempt.mutationOptions({
      onSuccess: () => toast(says.tryingNow, factOf(says)),
      onError: ({ message }) => toast(says.notTried, message),
      onSettled: useRefresh(trpc.callbacks.pathKey(), trpc.settlements.byId.queryKey()),
    }),
  );
  return (
    <Button icon={Zap} pending={attempt.isPending} onClick={() => attempt.mutate({ id })}>
      {says.tryNow}
    </Button>
  );
}

type AttemptManyProps = { scope: { partner_id?: string }; origin: string; cause?: string; count: number };

/** One attempt now of each that a receiver has failed to take. */
export function AttemptMany({ scope, origin, cause, count }: AttemptManyProps) {
  const says = useWords(ATTEMPT_NOW);
  const trpc = useTRPC();
  const toast = useToast();
  const attempt = useMutation(
    trpc.callbacks.attemptMany.mutationOptions({
      onSuccess: ({ count: asked }) => toast(asked === 1 ? says.trying1Now : says.tryingNow2(asked.toLocaleString("en")), factOf(says)),
      onError: ({ message }) => toast(says.notTried, message),
      onSettled: useRefresh(trpc.callbacks.pathKey()),
    }),
  );
  return (
    <Button icon={Zap} pending={attempt.isPending} onClick={() => attempt.mutate({ ...scope, origin, ...(cause && { cause }) })}>
      {says.tryAllNow(count.toLocaleString("en"))}
    </Button>
  );
}
