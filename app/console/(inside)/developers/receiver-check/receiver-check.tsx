"use client";

import { useMutation } from "@tanstack/react-query";
import { Check, ShieldCheck, X } from "lucide-react";
import { useForm } from "react-hook-form";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { boundTo, UrlField } from "../../../_components/controls/field.tsx";
import { Refused } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { Announcement, Note, Section } from "../../../_components/frame/page-parts.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { patience } from "../../../_trpc/deadline.ts";
import { refusalOf } from "../../../_trpc/refusal.ts";
import { Served, useTranslations, type WithShared } from "../../../_words/words.ts";
import { RECEIVER_CHECK } from "./words.ts";

type Sheet = Answers["developers"]["certifyReceiver"];
type Verdict = Sheet["verdicts"][number];
type Translations = WithShared<typeof RECEIVER_CHECK>;

/** The time limit of all checks, plus our round trip. */
const WHOLE_MS = 90_000;

/** Certifies a receiver with good and bad callbacks, and shows the results. Nothing of it is stored. */
export function ReceiverCheck({ url }: { url: string }) {
  const t = useTranslations(RECEIVER_CHECK);
  const trpc = useTRPC();
  const check = useMutation(trpc.developers.certifyReceiver.mutationOptions({ trpc: { context: patience(WHOLE_MS) } }));
  const { handleSubmit, setError, ...form } = useForm<{ url: string }>({ mode: "onTouched", defaultValues: { url } });
  const field = boundTo(form);
  const submit = handleSubmit(async (fields) => {
    await check.mutateAsync({ url: fields.url.trim() }).catch((error: unknown) => {
      const fault = refusalOf(error)?.errors.find(({ pointer }) => pointer === "/url");
      if (fault) setError("url", { message: fault.message }, { shouldFocus: true });
    });
  });
  const isOfField = refusalOf(check.error)?.errors.some(({ pointer }) => pointer === "/url") ?? false;
  return (
    <>
      <p className="muted tester-lead">{t.lead}</p>
      <form className="form tester" onSubmit={(event) => void submit(event)} noValidate>
        <UrlField
          label={t.receiver}
          hint={url === "" ? t.urlHint : t.urlFilled}
          {...field("url", { validate: (text) => text.trim() !== "" || t.urlWanted })}
        />
        <div className="tester-send">
          <Button type="submit" look="primary" icon={ShieldCheck} pending={check.isPending}>
            {t.check}
          </Button>
          {check.isPending && <span className="muted">{t.duration}</span>}
        </div>
      </form>
      {check.error && !isOfField && <Refused error={check.error} />}
      <Announcement>{check.data && summaryOf(check.data, t)}</Announcement>
      {check.data && <Result sheet={check.data} />}
    </>
  );
}

function summaryOf({ verdicts, untried, passed }: Sheet, t: Translations): string {
  if (passed) return t.allPassed(verdicts.length);
  const held = verdicts.filter((verdict) => verdict.passed).length;
  return t.somePassed(held, verdicts.length + untried.length);
}

/** Failed checks come first. */
function Result({ sheet }: { sheet: Sheet }) {
  const t = useTranslations(RECEIVER_CHECK);
  const failed = sheet.verdicts.filter(({ passed }) => !passed);
  const held = sheet.verdicts.filter(({ passed }) => passed);
  return (
    <Section title={t.result} aside={<span className="muted">{summaryOf(sheet, t)}</span>}>
      {failed.length > 0 && <Verdicts label={t.failed} verdicts={failed} />}
      {sheet.untried.length > 0 && <Note kind="warning">{t.notTried(sheet.untried.length)}</Note>}
      {held.length > 0 && <Verdicts label={t.passed} verdicts={held} />}
    </Section>
  );
}

function Verdicts({ label, verdicts }: { label: string; verdicts: readonly Verdict[] }) {
  return (
    <ul className="receiver-verdicts" aria-label={label}>
      {verdicts.map(({ name, title, passed, reason }) => (
        <li key={name} data-passed={passed}>
          {passed ? <Check size={16} aria-hidden /> : <X size={16} aria-hidden />}
          <span>
            <Served>{title}</Served>
            {(!passed || name === "soon") && (
              <span className="muted">
                <Served>{reason}</Served>
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
