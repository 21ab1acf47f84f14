import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { CopyButton } from "../../_components/controls/copy-button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { QrCode } from "../../_components/controls/qr-code.tsx";
import { useStepUp } from "../../_components/dialogs/step-up.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { NO_ANSWER } from "../../_components/frame/words.ts";
import { useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";
import { refusalOf } from "../../_trpc/refusal.ts";
import { useTranslations } from "../../_words/words.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { ENROLMENT } from "./words.ts";

type Secret = { secret: string; link: string };
type Form = { code: string };

type EnrolmentProps = {
  /** Called once the recovery codes are saved. */
  onDone: () => void;
  /** The page to return to on cancel. Without it, the enrolment starts over. */
  onCancel?: () => void;
  start?: string;
};

/** Enrols an authenticator: a secret for the app, a code that proves it, and the recovery codes. */
export function Enrolment({ onDone, onCancel, start: label }: EnrolmentProps) {
  const t = useTranslations(ENROLMENT);
  const { account } = useTRPCClient();
  const begin = useConfirmedMutation();
  const [secret, setSecret] = useState<Secret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [isCalledOff, setCalledOff] = useState(false);
  const start = () => void begin.run(() => account.beginTwoFactors.mutate(), setSecret);
  const cancel = () => {
    setSecret(null);
    setCalledOff(true);
    onCancel?.();
  };
  if (secret === null) {
    return (
      <div className="enrolment">
        <p>{t.needsApp}</p>
        {begin.error !== null && <Refused error={begin.error} />}
        <div>
          <Button look="primary" autoFocus={isCalledOff} pending={begin.pending} onClick={start}>
            {label ?? t.setUpTwoFactors}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="enrolment">
      <Scan {...secret} />
      <Confirm onConfirmed={setCodes} onCancel={cancel} />
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
  const t = useTranslations(ENROLMENT);
  return (
    <div className="enrolment-scan">
      <QrCode text={link} label={t.qrCode} />
      <div>
        <p>{t.scan}</p>
        <p className="id" data-full>
          <code className="enrolment-secret" translate="no">
            {secret.match(/.{4}/g)?.join(" ")}
          </code>
          <CopyButton text={secret} label={t.copySecret} />
        </p>
      </div>
    </div>
  );
}

function Confirm({ onConfirmed, onCancel }: { onConfirmed: (codes: string[]) => void; onCancel: () => void }) {
  const t = useTranslations(ENROLMENT);
  const sentences = useTranslations(NO_ANSWER);
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
      setTrouble(refusal?.code === "validation_failed" ? t.wrongCode : sentenceOf(error, sentences));
      setFocus("code");
    }
  });
  return (
    <form className="form" method="post" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={t.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        {...(trouble && { error: trouble })}
        {...register("code", { required: true })}
      />
      <div className="button-row">
        <Button type="submit" look="primary" pending={confirm.isPending}>
          {t.confirm}
        </Button>
        <Button disabled={confirm.isPending} onClick={onCancel}>
          {t.cancel}
        </Button>
      </div>
    </form>
  );
}
