import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { lazyComponent } from "#app/console/_components/controls/lazy-component.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";

type Guarded = <Result>(work: () => Promise<Result>) => Promise<Result>;
const StepUpDialog = lazyComponent(() => import("./step-up-dialog.tsx").then(({ StepUpDialog: Loaded }) => Loaded));
const StepUpContext = createContext<Guarded | null>(null);

/**
 * `const guarded = useStepUp(); await guarded(() => mutation.mutateAsync(…))`: when the service asks for a step-up, a dialog opens and the
 * work runs once more. If the user closes the dialog, the caller gets the refusal, as from any other call.
 */
export function useStepUp(): Guarded {
  const guarded = useContext(StepUpContext);
  if (guarded === null) throw new Error("there is no StepUpProvider around this");
  return guarded;
}

export function StepUpProvider({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState(false);
  const waiting = useRef<((proven: boolean) => void)[]>([]);
  const settle = useCallback((proven: boolean) => {
    setAsking(false);
    for (const answer of waiting.current.splice(0)) answer(proven);
  }, []);
  const guarded = useCallback<Guarded>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (refusalOf(error)?.code !== "step_up_required") throw error;
      setAsking(true);
      if (await new Promise<boolean>((resolve) => waiting.current.push(resolve))) return await work();
      throw error;
    }
  }, []);
  return (
    <StepUpContext.Provider value={guarded}>
      {children}
      <StepUpDialog open={asking} onProven={() => settle(true)} onClose={() => settle(false)} />
    </StepUpContext.Provider>
  );
}
