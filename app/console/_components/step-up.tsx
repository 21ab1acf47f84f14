"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { useTRPC } from "../_trpc/client.ts";
import { refusalOf } from "../_trpc/refusal.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";

type Guarded = <Result>(work: () => Promise<Result>) => Promise<Result>;
const StepUpContext = createContext<Guarded | null>(null);

/**
 * `const guarded = useStepUp(); await guarded(() => mutation.mutateAsync(…))`: where the service wants to know anew who it is, a dialog
 * asks for it, and the work is done once more. Who closes the dialog gets the refusal, as from any other call.
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
    for (const tell of waiting.current.splice(0)) tell(proven);
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
      <Dialog
        open={asking}
        onOpenChange={(open) => !open && settle(false)}
        title="Confirm that it is you"
        firstFocus={() => document.querySelector<HTMLInputElement>(".step-up-field input")}
      >
        <Proof onProven={() => settle(true)} onCancel={() => settle(false)} />
      </Dialog>
    </StepUpContext.Provider>
  );
}

type Form = { proof: string };

function Proof({ onProven, onCancel }: { onProven: () => void; onCancel: () => void }) {
  const trpc = useTRPC();
  const me = useQuery(trpc.session.me.queryOptions());
  const { register, handleSubmit, setFocus, resetField } = useForm<Form>();
  const [trouble, setTrouble] = useState<string | null>(null);
  const prove = useMutation(trpc.session.stepUp.mutationOptions());
  const submit = handleSubmit(async ({ proof }) => {
    setTrouble(null);
    try {
      await prove.mutateAsync({ proof });
      onProven();
    } catch (error) {
      resetField("proof");
      setTrouble(refusalOf(error)?.detail ?? "The service did not answer. Try again.");
      setFocus("proof");
    }
  });
  const byCode = me.data?.two_factors ?? false;
  const field = byCode
    ? { label: "One-time code", hint: "From your authenticator app, or one of your recovery codes", autoComplete: "one-time-code" }
    : { label: "Password", hint: "The next five minutes will not ask again", type: "password", autoComplete: "current-password" };
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {/* Password managers look for whose password it is. */}
      {!byCode && (
        <input type="text" className="sr-only" autoComplete="username" value={me.data?.email ?? ""} readOnly tabIndex={-1} aria-hidden />
      )}
      <div className="step-up-field">
        <TextField {...field} {...(trouble && { error: trouble })} spellCheck={false} {...register("proof", { required: true })} />
      </div>
      <div className="form-buttons">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" pending={prove.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  );
}
