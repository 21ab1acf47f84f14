import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { lazyComponent } from "#app/console/_components/controls/lazy-component.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";
import { type DecisionToSign, decisionToSign } from "../../_trpc/signed-decision.ts";

type Guarded = <Result>(work: () => Promise<Result>) => Promise<Result>;
const StepUpDialog = lazyComponent(() => import("./step-up-dialog.tsx").then(({ StepUpDialog: Loaded }) => Loaded));
const SignDialog = lazyComponent(() => import("./sign-dialog.tsx").then(({ SignDialog: Loaded }) => Loaded));
const StepUpContext = createContext<Guarded | null>(null);

/**
 * `const guarded = useStepUp(); await guarded(() => mutation.mutateAsync(…))`: when the service asks for a step-up, a dialog opens and the
 * work runs once more. Where it asks for a passkey's signature, a dialog shows what is signed, and the work runs with it. If the user closes
 * the dialog, the caller gets the refusal, as from any other call.
 */
export function useStepUp(): Guarded {
  const guarded = useContext(StepUpContext);
  if (guarded === null) throw new Error("there is no StepUpProvider around this");
  return guarded;
}

export function StepUpProvider({ children }: { children: ReactNode }) {
  const [asking, setAsking] = useState(false);
  const [signing, setSigning] = useState<(DecisionToSign & { answer: (signed: boolean) => void }) | null>(null);
  const waiting = useRef<((proven: boolean) => void)[]>([]);
  const settle = useCallback((proven: boolean) => {
    setAsking(false);
    for (const answer of waiting.current.splice(0)) answer(proven);
  }, []);
  const guarded = useCallback<Guarded>(async (work) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const decision = decisionToSign(error);
        if (decision !== null) {
          const isSigned = await new Promise<boolean>((answer) => setSigning({ ...decision, answer }));
          setSigning(null);
          if (!isSigned) throw error;
          continue;
        }
        if (refusalOf(error)?.code !== "step_up_required") throw error;
        setAsking(true);
        if (!(await new Promise<boolean>((resolve) => waiting.current.push(resolve)))) throw error;
      }
    }
  }, []);
  return (
    <StepUpContext.Provider value={guarded}>
      {children}
      <StepUpDialog open={asking} onProven={() => settle(true)} onClose={() => settle(false)} />
      {signing !== null && (
        <SignDialog key={signing.ticket} asked={signing} onSigned={() => signing.answer(true)} onClose={() => signing.answer(false)} />
      )}
    </StepUpContext.Provider>
  );
}
