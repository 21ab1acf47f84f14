import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "#app/console/_components/controls/button.tsx";
import { TextField } from "#app/console/_components/controls/field.tsx";
import { useTRPC } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";
import { Dialog } from "./dialog.tsx";

/** Asks who it is; tells whether that was proven. */
export function StepUpDialog({ open, onSettled }: { open: boolean; onSettled: (proven: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onSettled(false)}
      title="Confirm that it is you"
      firstFocus={() => document.querySelector<HTMLInputElement>(".step-up-field input")}
    >
      <Proof onProven={() => onSettled(true)} onCancel={() => onSettled(false)} />
    </Dialog>
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
      setTrouble(sentenceOf(error));
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
