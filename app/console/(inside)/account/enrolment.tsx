import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { QrCode } from "../../_components/controls/qr-code.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";

type Secret = { secret: string; link: string };
type Form = { code: string };

/** Sets two factors up: a secret for the app, a code that shows that it has it, and the recovery codes. `onDone`: once those are taken. */
export function Enrolment({ onDone, start: label = "Set up two-factor sign-in" }: { onDone: () => void; start?: string }) {
  const { account } = useTRPCClient();
  const begin = useDeed();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const start = () => void begin.run(() => account.beginTwoFactors.mutate(), setSecret);
  if (secret === null) {
    return (
      <div className="enrolment">
        <p>You will need an authenticator app: any that reads QR codes, on your phone or in your password manager.</p>
        {begin.error !== null && <Refused error={begin.error} />}
        <div>
          <Button look="primary" pending={begin.pending} onClick={start}>
            {label}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="enrolment">
      <Scan {...secret} />
      <Confirm onConfirmed={setCodes} />
      <RecoveryCodes
        codes={codes}
        onClose={() => {
          setCodes(null);
          setSecret(null);
          onDone();
        }}
      />
    </div>
  );
}

function Scan({ secret, link }: Secret) {
  return (
    <div className="enrolment-scan">
      <QrCode text={link} label="QR code with the secret for your authenticator app" />
      <div>
        <p>Scan it with the app, or type the secret in:</p>
        <p className="id">
          <code className="enrolment-secret">{secret.match(/.{4}/g)?.join(" ")}</code>
          <CopyButton text={secret} label="Copy the secret" />
        </p>
      </div>
    </div>
  );
}

function Confirm({ onConfirmed }: { onConfirmed: (codes: string[]) => void }) {
  const trpc = useTRPC();
  const guarded = useStepUp();
  const { register, handleSubmit, setFocus, resetField } = useForm<Form>();
  const [trouble, setTrouble] = useState<string | null>(null);
  const confirm = useMutation(trpc.account.confirmTwoFactors.mutationOptions({ gcTime: 0 }));
  const submit = handleSubmit(async ({ code }) => {
    setTrouble(null);
    try {
      const { recovery_codes } = await guarded(() => confirm.mutateAsync({ code: code.trim() }));
      confirm.reset();
      onConfirmed(recovery_codes);
    } catch (error) {
      const refusal = refusalOf(error);
      resetField("code");
      setTrouble(refusal?.code === "validation_failed" ? "That is not the code that the app shows now." : sentenceOf(error));
      setFocus("code");
    }
  });
  return (
    <form className="form" method="post" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label="The code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        {...(trouble && { error: trouble })}
        {...register("code", { required: true })}
      />
      <div>
        <Button type="submit" look="primary" pending={confirm.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  );
}
