import { useMutation } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { Button } from "../../_components/controls/button.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";

const FACT = "Beside the six: if it fails, the schedule stays as it is.";

/** One attempt of one callback now. What comes of it stands among its attempts. */
export function AttemptNow({ callback: { id } }: { callback: { id: string } }) {
  const trpc = useTRPC();
  const toast = useToast();
  const attempt = useMutation(
    trpc.callbacks.attempt.mutationOptions({
      onSuccess: () => toast("Trying now", FACT),
      onError: ({ message }) => toast("Not tried", message),
      onSettled: useRefresh(trpc.callbacks.pathKey(), trpc.settlements.byId.queryKey()),
    }),
  );
  return (
    <Button icon={Zap} pending={attempt.isPending} onClick={() => attempt.mutate({ id })}>
      Try now
    </Button>
  );
}

type AttemptManyProps = { scope: { partner_id?: string }; origin: string; cause?: string; count: number };

/** One attempt now of each that a receiver has failed to take. */
export function AttemptMany({ scope, origin, cause, count }: AttemptManyProps) {
  const trpc = useTRPC();
  const toast = useToast();
  const attempt = useMutation(
    trpc.callbacks.attemptMany.mutationOptions({
      onSuccess: ({ count: asked }) => toast(asked === 1 ? "Trying 1 now" : `Trying ${asked.toLocaleString("en")} now`, FACT),
      onError: ({ message }) => toast("Not tried", message),
      onSettled: useRefresh(trpc.callbacks.pathKey()),
    }),
  );
  return (
    <Button icon={Zap} pending={attempt.isPending} onClick={() => attempt.mutate({ ...scope, origin, ...(cause && { cause }) })}>
      {`Try all now (${count.toLocaleString("en")})`}
    </Button>
  );
}
