"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Button } from "../../_components/controls/button.tsx";
import { TextField } from "../../_components/controls/field.tsx";
import { useToast } from "../../_components/controls/toast.tsx";
import { KeyValues } from "../../_components/controls/values.tsx";
import { Refused } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Announcement, Section } from "../../_components/frame/page-parts.tsx";
import { useHydrated } from "../../_components/frame/use-hydrated.ts";
import { useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { refusalOf } from "../../_trpc/refusal.ts";
import { Data, useTranslations } from "../../_words/words.ts";
import { ROLES } from "../people/role-words.ts";
import type { Role } from "../people/roles.ts";
import { PROFILE } from "./words.ts";

type Named = { name: string };
type Passwords = { current_password: string; new_password: string };

/** The user's name and sign-in address. */
export function Profile({ name, email, role, side }: { name: string; email: string; role: Role; side: string }) {
  const t = useTranslations(PROFILE);
  const roles = useTranslations(ROLES);
  return (
    <Section title={t.title}>
      <div className="account-columns">
        <div>
          <KeyValues
            items={[
              { key: t.eMailAddress, value: <Data>{email}</Data> },
              { key: t.role, value: t.roleAt(side, roles[role]) },
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
  const t = useTranslations(PROFILE);
  const trpc = useTRPC();
  const toast = useToast();
  const router = useRouter();
  const { register, handleSubmit } = useForm<Named>({ defaultValues: { name } });
  const rename = useMutation(
    trpc.account.rename.mutationOptions({
      onSuccess: (_, sent) => {
        toast(t.nameSaved, sent.name);
        router.refresh();
      },
    }),
  );
  const submit = handleSubmit(({ name: next }) => rename.mutate({ name: next.trim() }));
  return (
    <form className="form account-form" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={t.name}
        hint={t.nameHint}
        autoComplete="name"
        maxLength={128}
        {...(rename.error && { error: faultAt(rename.error, "/name") })}
        {...register("name", { required: true })}
      />
      <div>
        <Button type="submit" pending={rename.isPending}>
          {t.saveName}
        </Button>
      </div>
    </form>
  );
}

function Password({ email }: { email: string }) {
  const t = useTranslations(PROFILE);
  const trpc = useTRPC();
  const toast = useToast();
  const refresh = useRefresh(trpc.session.list.queryKey());
  const isHydrated = useHydrated();
  const [done, setDone] = useState(false);
  const { register, handleSubmit, reset } = useForm<Passwords>();
  const change = useMutation(
    trpc.account.changePassword.mutationOptions({
      onSuccess: () => {
        reset();
        setDone(true);
        toast(t.passwordChanged, t.signedOutElsewhere);
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
    <form className="form account-form" method="post" onSubmit={(event) => void submit(event)} noValidate aria-label={t.changePassword}>
      <h3>{t.changePassword}</h3>
      {change.error && !current && !next && <Refused error={change.error} />}
      <input type="text" className="sr-only" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
      <TextField
        label={t.currentPassword}
        type="password"
        autoComplete="current-password"
        {...(current && { error: current })}
        {...register("current_password", { required: true })}
      />
      <TextField
        label={t.newPassword}
        type="password"
        autoComplete="new-password"
        hint={t.newPasswordHint}
        {...(next && { error: next })}
        {...register("new_password", { required: true })}
      />
      <div>
        <Button type="submit" disabled={!isHydrated} pending={change.isPending}>
          {t.changePassword}
        </Button>
        <Announcement>{done ? t.passwordChanged : ""}</Announcement>
      </div>
    </form>
  );
}

/** The service's message about one field. */
export function faultAt(error: unknown, pointer: string): string | undefined {
  const message = refusalOf(error)?.errors.find((fault) => fault.pointer === pointer)?.message;
  return message === undefined ? undefined : `It ${message}.`;
}
