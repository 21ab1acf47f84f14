"use client";

import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../_components/controls/button.tsx";
import { TextField } from "../_components/controls/field.tsx";
import { useLives } from "../_components/frame/use-lives.ts";
import { refusedSentence, signIn } from "../_format/sign-in.ts";

type Form = { email: string; password: string; otp: string };

/** `target`: where it leads. No field has a value to begin with: it would take the place of what a password manager filled in early. */
export function SignInForm({ target }: { target: string }) {
  const lives = useLives();
  const { register, handleSubmit, formState, setFocus, resetField } = useForm<Form>();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [wantsCode, setWantsCode] = useState(false);
  const [done, setDone] = useState(false);
  const submit = handleSubmit(async (form) => {
    setTrouble(null);
    const outcome = await signIn({ ...form, otp: form.otp ?? "" }).catch(() => null);
    if (outcome === "signed_in") {
      setDone(true);
      return window.location.assign(target);
    }
    // The password was right, and there is a second factor.
    if (outcome?.refused === "one_time_code_required") return setWantsCode(true);
    setTrouble(refusedSentence(outcome));
    resetField("otp");
    setFocus("password");
  });
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
      <TextField
        label="E-mail address"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...register("email")}
      />
      <TextField label="Password" type="password" autoComplete="current-password" {...register("password")} />
      {wantsCode && (
        <TextField
          label="One-time code"
          hint="From your authenticator app, or one of your recovery codes"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          {...register("otp")}
        />
      )}
      <Button type="submit" look="primary" disabled={!lives} pending={formState.isSubmitting || done}>
        Sign in
      </Button>
    </form>
  );
}
