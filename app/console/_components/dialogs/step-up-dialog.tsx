import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "#app/console/_components/controls/button.tsx";
import { TextField } from "#app/console/_components/controls/field.tsx";
import { PasskeyButton } from "#app/console/_components/controls/passkey-button.tsx";
import { passkeySentence, signWithKey } from "../../_format/passkeys.ts";
import { PASSKEY_SENTENCES } from "../../_format/words.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { sentenceOf } from "../../_trpc/no-answer.ts";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { NO_ANSWER } from "../frame/words.ts";
import { Dialog } from "./dialog.tsx";
import { STEP_UP_DIALOG } from "./loaded-words.ts";

type Translations = WithShared<typeof STEP_UP_DIALOG>;

/** Asks the user to authenticate again. Reports that it succeeded, or that the service did not answer. */
export function StepUpDialog({ open, onProven, onClose }: { open: boolean; onProven: () => void; onClose: () => void }) {
  const t = useTranslations(STEP_UP_DIALOG);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t.title}
      firstFocus={() => document.querySelector<HTMLInputElement>(".step-up-field input")}
    >
      <Proof onProven={onProven} onCancel={onClose} />
    </Dialog>
  );
}

type Form = { proof: string };

function Proof({ onProven, onCancel }: { onProven: () => void; onCancel: () => void }) {
  const [t, sentences] = [useTranslations(STEP_UP_DIALOG), useTranslations(NO_ANSWER)];
  const keys = useTranslations(PASSKEY_SENTENCES);
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
      setTrouble(sentenceOf(error, sentences));
      setFocus("proof");
    }
  });
  const byCode = me.data?.two_factors ?? false;
  const ask = useMutation(trpc.session.askPasskey.mutationOptions({ gcTime: 0 }));
  const bring = useMutation(trpc.session.stepUpByPasskey.mutationOptions({ gcTime: 0 }));
  const [asksKey, setAsksKey] = useState(false);
  const bringKey = async () => {
    setTrouble(null);
    setAsksKey(true);
    try {
      const { ticket, options } = await ask.mutateAsync();
      await bring.mutateAsync({ ticket, answer: await signWithKey(options) });
      onProven();
    } catch (error) {
      setTrouble(passkeySentence(error, keys) ?? sentenceOf(error, sentences));
    } finally {
      setAsksKey(false);
    }
  };
  const begin = useMutation(trpc.identity.beginStepUp.mutationOptions({ gcTime: 0 }));
  const goToProvider = async () => {
    setTrouble(null);
    try {
      const { path } = await begin.mutateAsync({ target: window.location.pathname + window.location.search });
      window.location.assign(path);
    } catch (error) {
      setTrouble(sentenceOf(error, sentences));
    }
  };
  const field = byCode
    ? codeField(me.data?.factors.code ?? true, t)
    : { label: t.password, hint: t.passwordHint, type: "password", autoComplete: "current-password" };
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      {/* Password managers need the user name. */}
      {!byCode && (
        <input type="text" className="sr-only" autoComplete="username" value={me.data?.email ?? ""} readOnly tabIndex={-1} aria-hidden />
      )}
      {me.data?.factors.passkey && <PasskeyButton isMain pending={asksKey} onPress={() => void bringKey()} />}
      {me.data?.factors.provider && (
        <>
          <Button pending={begin.isPending || begin.isSuccess} onClick={() => void goToProvider()}>
            {t.provider}
          </Button>
          <p className="muted">{t.providerHint}</p>
        </>
      )}
      <div className="step-up-field">
        <TextField {...field} {...(trouble && { error: trouble })} {...register("proof", { required: true })} />
      </div>
      <div className="form-buttons">
        <Button onClick={onCancel}>{t.cancel}</Button>
        <Button type="submit" {...(!me.data?.factors.passkey && { look: "primary" as const })} pending={prove.isPending}>
          {t.confirm}
        </Button>
      </div>
    </form>
  );
}

/** A user who only has passkeys has no app with codes. */
function codeField(hasApp: boolean, t: Translations) {
  if (hasApp) return { label: t.oneTimeCode, hint: t.oneTimeCodeHint, autoComplete: "one-time-code" };
  return { label: t.recoveryCode, hint: t.recoveryCodeHint, autoComplete: "off" };
}
