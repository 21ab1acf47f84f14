import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "#app/console/_components/controls/button.tsx";
import { TextField } from "#app/console/_components/controls/field.tsx";
import { PasskeyButton } from "#app/console/_components/controls/passkey-button.tsx";
import { refusedSentence, type SignInOutcome, signIn, signInByPasskey, signOut } from "../../_format/sign-in.ts";
import { SIGN_IN } from "../../_format/words.ts";
import { useTranslations } from "../../_words/words.ts";
import { SIGN_IN_AGAIN } from "./words.ts";

type Form = { password: string; otp: string };

/** Signs in again in place when a session ends. */
export function SignInAgain({ email, wantsCode, onDone }: { email: string; wantsCode: boolean; onDone: () => void }) {
  const t = useTranslations(SIGN_IN_AGAIN);
  const sentences = useTranslations(SIGN_IN);
  const { register, handleSubmit, formState, resetField, setFocus, getValues } = useForm<Form>();
  const [trouble, setTrouble] = useState<string | null>(null);
  // Loaded on demand, possibly after the dialog has chosen its first focus.
  useEffect(() => setFocus("password"), [setFocus]);
  const [ticket, setTicket] = useState<string | null>(null);
  const settle = (outcome: SignInOutcome | null) => {
    if (outcome === "signed_in") return onDone();
    setTicket(outcome?.ticket ?? null);
    resetField("otp");
    setTrouble(outcome?.ticket ? t.codeOrPasskey : refusedSentence(outcome, sentences));
    if (!outcome?.ticket) setFocus("password");
  };
  const submit = handleSubmit(async ({ password, otp }) => {
    setTrouble(null);
    settle(await signIn({ email, password, otp: otp ?? "" }).catch(() => null));
  });
  const bringKey = async (asked: string) =>
    settle(await signInByPasskey({ email, password: getValues("password") }, asked).catch(() => null));
  return (
    <form className="form session-end" onSubmit={(event) => void submit(event)} noValidate>
      {trouble && (
        <p className="form-trouble" role="alert">
          {trouble}
        </p>
      )}
      <TextField label={t.eMailAddress} type="email" autoComplete="username" value={email} readOnly />
      <TextField label={t.password} type="password" autoComplete="current-password" {...register("password", { required: true })} />
      {wantsCode && <TextField label={t.oneTimeCode} autoComplete="one-time-code" {...register("otp")} />}
      {ticket !== null && <PasskeyButton pending={false} onPress={() => void bringKey(ticket)} />}
      <div className="form-buttons">
        <Button onClick={() => void signOut()}>{t.signOut}</Button>
        <Button type="submit" look="primary" pending={formState.isSubmitting}>
          {t.signIn}
        </Button>
      </div>
    </form>
  );
}
