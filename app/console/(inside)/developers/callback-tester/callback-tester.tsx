"use client";

import { useMutation } from "@tanstack/react-query";
import { SendHorizontal } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useForm } from "react-hook-form";
import { ATTEMPT_TIMEOUT_MS, CALLBACK_EVENTS, type CallbackEvent } from "#domain/callback.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { boundTo, Select, UrlField } from "../../../_components/controls/field.tsx";
import { Id, Time } from "../../../_components/controls/values.tsx";
import { Refused } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { Announcement, Section } from "../../../_components/frame/page-parts.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { patience } from "../../../_trpc/deadline.ts";
import { refusalOf } from "../../../_trpc/refusal.ts";
import { useTranslations, type WithShared } from "../../../_words/words.ts";
import { MetBadge } from "../../callbacks/attempt-view.tsx";
import { Exchange } from "../../callbacks/exchange.tsx";
import { metBy } from "../../callbacks/signs.ts";
import { CALLBACK_WORDS, EVENT_WORDS } from "../../callbacks/state-words.ts";
import { CALLBACK_TESTER, WAITING } from "./words.ts";

type Translations = WithShared<typeof CALLBACK_TESTER>;

type Sample = Answers["developers"]["testCallback"];
type Fields = { event: CallbackEvent; url: string };

/** The receiver's time limit, plus our round trip. */
const RECEIVER_MS = 40_000;

/** Sends one sample to a URL and shows the whole exchange. Nothing of it is stored. */
export function CallbackTester({ url }: { url: string }) {
  const t = useTranslations(CALLBACK_TESTER);
  const [events, met] = [useTranslations(EVENT_WORDS), useTranslations(CALLBACK_WORDS)];
  const trpc = useTRPC();
  const test = useMutation(trpc.developers.testCallback.mutationOptions({ trpc: { context: patience(RECEIVER_MS) } }));
  const { handleSubmit, setError, ...form } = useForm<Fields>({
    mode: "onTouched",
    defaultValues: { event: "settlement.executed", url },
  });
  const field = boundTo(form);
  const submit = handleSubmit(async (fields) => {
    const input = { event: fields.event, url: fields.url.trim() };
    await test.mutateAsync(input).catch((error: unknown) => {
      const fault = refusalOf(error)?.errors.find(({ pointer }) => pointer === "/url");
      if (fault) setError("url", { message: fault.message }, { shouldFocus: true });
    });
  });
  return (
    <>
      <p className="muted tester-lead">{t.lead}</p>
      <form className="form tester" onSubmit={(event) => void submit(event)} noValidate>
        <Select
          label={t.kind}
          choices={CALLBACK_EVENTS.map((value) => ({ value, label: t.event(events[value] ?? value, value) }))}
          {...field("event")}
        />
        <UrlField
          label={t.sendTo}
          hint={url === "" ? t.urlHint : t.urlFilled}
          {...field("url", { validate: (text) => text.trim() !== "" || t.urlWanted })}
        />
        <div className="tester-send">
          <Button type="submit" look="primary" icon={SendHorizontal} pending={test.isPending}>
            {t.sendSample}
          </Button>
          {test.isPending && <Waiting />}
        </div>
      </form>
      {test.error && !isOfField(test.error) && <Refused error={test.error} />}
      <Announcement>{test.data && `${metBy(test.data.attempt, met)}: ${comment(test.data, t)}`}</Announcement>
      {test.data && <Result sample={test.data} />}
    </>
  );
}

/** Messages that the field shows already. */
function isOfField(error: unknown): boolean {
  return refusalOf(error)?.errors.some(({ pointer }) => pointer === "/url") ?? false;
}

function comment({ attempt }: Sample, t: Translations): string {
  return attempt.error_kind === null ? t.accepted : t.wouldRetry;
}

function Result({ sample }: { sample: Sample }) {
  const t = useTranslations(CALLBACK_TESTER);
  const { attempt } = sample;
  const heading = useRef<HTMLDivElement>(null);
  // The result appears below, on a phone out of view.
  useEffect(() => {
    heading.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <Section
      title={t.result}
      aside={<span className="muted">{t.took(attempt.duration_ms === null ? "" : t.format.count(attempt.duration_ms))}</span>}
    >
      <div className="tester-met" ref={heading}>
        <MetBadge attempt={attempt} />
        <span>{comment(sample, t)}</span>
      </div>
      <Exchange
        callback={sample}
        attempt={attempt}
        facts={[
          { key: t.kind, value: <code translate="no">{sample.event}</code> },
          { key: t.callbackId, value: <Id value={sample.id} what={t.theCallbackId} full /> },
          { key: t.sent, value: <Time at={attempt.sent_at} form="absolute" /> },
        ]}
      />
    </Section>
  );
}

const STEP_MS = 250;

/** How much of its time the receiver has used. In real time, independent of the sandbox's clock. */
function Waiting() {
  const t = useTranslations(WAITING);
  const [gone, setGone] = useState(0);
  useEffect(() => {
    const since = performance.now();
    const timer = setInterval(() => setGone(Math.min(ATTEMPT_TIMEOUT_MS, performance.now() - since)), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <span className="tester-waiting muted">
      <progress max={ATTEMPT_TIMEOUT_MS} value={gone} aria-label={t.label} />
      {gone >= 1_000 && t.elapsed(Math.floor(gone / 1_000), ATTEMPT_TIMEOUT_MS / 1_000)}
    </span>
  );
}
