"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { Refused } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { useHydrated } from "../../_components/frame/use-hydrated.ts";
import { signIn } from "../../_format/sign-in.ts";
import { useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import { faultAt } from "../../(inside)/account/profile.tsx";
import { ACCEPT_FORM } from "./words.ts";

type Form = { name: string; password: string };

/** Asks for name and password, then signs in. */
export function AcceptForm({ token, email }: { token: string; email: string }) {
  const t = useTranslations(ACCEPT_FORM);
  const trpc = useTRPC();
  const isHydrated = useHydrated();
  const { register, handleSubmit } = useForm<Form>();
  const [entering, setEntering] = useState(false);
  const accept = useMutation(trpc.people.accept.mutationOptions());
  const submit = handleSubmit(async ({ name, password }) => {
    try {
      await accept.mutateAsync({ token, name: name.trim(), password });
    } catch {
      return; // shown next to the form
    }
    setEntering(true);
    const outcome = await signIn({ email, password, otp: "" }).catch(() => null);
    window.location.assign(outcome === "signed_in" ? "/console" : "/console/sign-in");
  });
  const [name, password] = accept.error ? [faultAt(accept.error, "/name"), faultAt(accept.error, "/password")] : [];
  return (
    <form className="form" method="post" onSubmit={(event) => void submit(event)} noValidate>
      {accept.error && !name && !password && <Refused error={accept.error} />}
      <TextField label={t.eMailAddress} type="email" autoComplete="username" value={email} readOnly />
      <TextField
        label={t.name}
        autoComplete="name"
        maxLength={128}
        {...(name && { error: name })}
        {...register("name", { required: true })}
      />
      <TextField
        label={t.password}
        type="password"
        autoComplete="new-password"
        hint={t.passwordHint}
        {...(password && { error: password })}
        {...register("password", { required: true })}
      />
      <Button type="submit" look="primary" disabled={!isHydrated} pending={accept.isPending || entering}>
        {t.start}
      </Button>
    </form>
  );
}
