"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { KeyValues } from "../../_components/controls/values.tsx";
import { Refused } from "../../_components/dialogs/use-deed.tsx";
import { Section, Spoken } from "../../_components/frame/page-parts.tsx";
import { useLives } from "../../_components/frame/use-lives.ts";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";

type Named = { name: string };
type Passwords = { current_password: string; new_password: string };

/** What one is called and signs in with. */
export function Profile({ name, email, role, side }: { name: string; email: string; role: string; side: string }) {
  return (
    <Section title="Profile">
      <div className="account-columns">
        <div>
          <KeyValues
            items={[
              { key: "E-mail address", value: email },
              { key: "Role", value: `${side}, ${role}` },
            ]}
          />
          <Name name={name} />
        </div>
        <Password email={email} />
      </div>
    </Section>
  );
}

function Name({ name }: Named) {
  const trpc = useTRPC();
  const toast = useToast();
  const router = useRouter();
  const { register, handleSubmit } = useForm<Named>({ defaultValues: { name } });
  const rename = useMutation(
    trpc.account.rename.mutationOptions({
      onSuccess: (_, sent) => {
        toast("Name saved", sent.name);
        router.refresh();
      },
    }),
  );
  const submit = handleSubmit(({ name: next }) => rename.mutate({ name: next.trim() }));
  return (
    <form className="form account-form" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label="Name"
        hint="What colleagues read beside your decisions"
        autoComplete="name"
        maxLength={128}
        {...(rename.error && { error: faultAt(rename.error, "/name") })}
        {...register("name", { required: true })}
      />
      <div>
        <Button type="submit" pending={rename.isPending}>
          Save name
        </Button>
      </div>
    </form>
  );
}

function Password({ email }: { email: string }) {
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefresh(trpc.session.list.queryKey());
  const lives = useLives();
  const [done, setDone] = useState(false);
  const { register, handleSubmit, reset } = useForm<Passwords>();
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess: () => {
        reset();
        setDone(true);
        toast("Password changed", "Everywhere else you are signed out.");
        refresh();
      },
    }),
  );
  const submit = handleSubmit((form) => {
    setDone(false);
    change.mutate(form);
  });
  const current = change.error && faultAt(change.error, "/current_password");
  const next = change.error && faultAt(change.error, "/new_password");
  return (
    <form className="form account-form" method="post" onSubmit={(event) => void submit(event)} noValidate aria-label="Change password">
      <h3>Change password</h3>
      {change.error && !current && !next && <Refused error={change.error} />}
      <input type="text" className="sr-only" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        {...(current && { error: current })}
        {...register("current_password", { required: true })}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 12 characters. It ends your other sessions."
        {...(next && { error: next })}
        {...register("new_password", { required: true })}
      />
      <div>
        <Button type="submit" disabled={!lives} pending={change.isPending}>
          Change password
        </Button>
        <Spoken>{done ? "Password changed" : ""}</Spoken>
      </div>
    </form>
  );
}

/** What was wrong with one field, as a sentence. */
export function faultAt(error: unknown, pointer: string): string | undefined {
  const message = refusalOf(error)?.errors.find((fault) => fault.pointer === pointer)?.message;
  return message === undefined ? undefined : `It ${message}.`;
}
