"use client";

import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../_components/button.tsx";
import { TextField } from "../_components/field.tsx";
import { signIn } from "../_format/sign-in.ts";

type Form = { email: string; password: string; otp: string };

const SENTENCES: Record<string, string> = {
  invalid_credentials: "The e-mail address, the password or the one-time code is wrong.",
  CredentialsSignin: "Enter your e-mail address and your password.",
  temporarily_unavailable: "The service is temporarily unavailable. Try again in a moment.",
};

export function SignInForm({ target }: { target: string }) {
  const { register, handleSubmit, formState, setFocus } = useForm<Form>();
  const [trouble, setTrouble] = useState<string | null>(null);
  const [wantsCode, setWantsCode] = useState(false);
  const submit = handleSubmit(async (form) => {
    setTrouble(null);
    const outcome = await signIn(form).catch(() => ({ refused: "temporarily_unavailable", retryAfterSeconds: null }));
    if (outcome === "signed_in") return window.location.assign(target);
    setTrouble(sentenceOf(outcome.refused, outcome.retryAfterSeconds));
    setFocus("password");
  });
  const done = formState.isSubmitSuccessful && trouble === null;
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
          hint="From your authenticator app"
          inputMode="numeric"
          autoComplete="one-time-code"
          {...register("otp")}
        />
      )}
      <Button type="submit" look="primary" pending={formState.isSubmitting || done}>
        Sign in
      </Button>
      {!wantsCode && (
        <Button look="quiet" onClick={() => setWantsCode(true)}>
          I have a one-time code
        </Button>
      )}
    </form>
  );
}

function sentenceOf(code: string, retryAfterSeconds: number | null): string {
  if (code === "rate_limited") return `Too many failed attempts. Try again in ${retryAfterSeconds ?? 30} seconds.`;
  return SENTENCES[code] ?? "Signing in did not work. Try again.";
}
