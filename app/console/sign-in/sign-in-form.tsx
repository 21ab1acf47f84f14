"use client";

import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../_components/controls/button.tsx";
import { TextField } from "../_components/controls/field.tsx";
import { PasskeyButton } from "../_components/controls/passkey-button.tsx";
import { useHydrated } from "../_components/frame/use-hydrated.ts";
import { refusedSentence, type SignInOutcome, signIn, signInByPasskey } from "../_format/sign-in.ts";
import { SIGN_IN } from "../_format/words.ts";
import { SHARED } from "../_words/shared.ts";
import { useTranslations } from "../_words/words.ts";

type Form = { email: string; password: string; otp: string };

/**
 * `target`: where to go after the sign-in. `refused`: why a company's identity was refused. Fields have no initial value, because it would replace what a password manager fills in early.
 */
export function SignInForm({ target, refused }: { target: string; refused: string | null }) {
  const t = useTranslations(SHARED);
  const sentences = useTranslations(SIGN_IN);
  const isHydrated = useHydrated();
  const { register, handleSubmit, formState, setFocus, resetField, getValues } = useForm<Form>();
  const [trouble, setTrouble] = useState<string | null>(() =>
    refused === null ? null : refusedSentence({ refused, retryAfterSeconds: null, ticket: null }, sentences),
  );
  const [wantsCode, setWantsCode] = useState(false);
  const [ticket, setTicket] = useState<string | null>(null);
  const [asksKey, setAsksKey] = useState(false);
  const [done, setDone] = useState(false);
  const settle = (outcome: SignInOutcome | null) => {
    if (outcome === "signed_in") {
      setDone(true);
      return window.location.assign(target);
    }
    setTicket(outcome?.ticket ?? null);
    // The password was right, and there is a second factor.
    if (outcome?.refused === "one_time_code_required") return setWantsCode(true);
    setTrouble(refusedSentence(outcome, sentences));
    resetField("otp");
    setFocus("password");
  };
  const submit = handleSubmit(async (form) => {
    setTrouble(null);
    settle(await signIn({ ...form, otp: form.otp ?? "" }).catch(() => null));
  });
  const bringKey = async (asked: string) => {
    setTrouble(null);
    setAsksKey(true);
    const { email, password } = getValues();
    const outcome = await signInByPasskey({ email, password }, asked).catch((error: unknown) => {
      // A cancelled passkey prompt uses up nothing.
      return error instanceof Error && error.name === "NotAllowedError" ? error.name : null;
    });
    setAsksKey(false);
    if (typeof outcome === "string" && outcome !== "signed_in")
      return setTrouble(refusedSentence({ refused: outcome, retryAfterSeconds: null, ticket: null }, sentences));
    settle(outcome);
  };
  useEffect(() => {
    if (wantsCode) setFocus("otp");
  }, [wantsCode, setFocus]);
  return (
    <form className="form" method="post" onSubmit={(event) => void submit(event)} noValidate>
      {trouble && (
        <p className="form-trouble" role="alert">
          {trouble}
        </p>
      )}
      <TextField label={t.eMailAddress} type="email" autoComplete="username" autoCapitalize="none" {...register("email")} />
      <TextField label={t.password} type="password" autoComplete="current-password" {...register("password")} />
      {ticket !== null && <PasskeyButton isMain pending={asksKey || done} onPress={() => void bringKey(ticket)} />}
      {wantsCode && (
        <TextField
          label={t.oneTimeCode}
          hint={t.oneTimeCodeHint}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          {...register("otp")}
        />
      )}
      <Button
        type="submit"
        {...(ticket === null && { look: "primary" as const })}
        disabled={!isHydrated}
        pending={formState.isSubmitting || done}
      >
        {t.signIn}
      </Button>
    </form>
  );
}
