import { useConfirmedMutation } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";

type Addition =
  | { kind: "taken" | "ended" }
  | { kind: "noted"; text: string }
  | { kind: "published"; text: string; disruption_id: string }
  | { kind: "step_done" | "step_undone"; step: number; text: string };

/** Adds to the timeline; whatever it was, the page shows it at once. */
export function useAdding(id: string) {
  const { incidents } = useTRPCClient();
  const refresh = useRefresh(useTRPC().incidents.pathKey());
  const { run, pending, error } = useConfirmedMutation();
  const done = (then: () => void) => {
    refresh();
    then();
  };
  const add = (addition: Addition, then = () => {}) =>
    void run(
      () => incidents.add.mutate({ id, addition }),
      () => done(then),
    );
  return { add, pending, error };
}
