"use client";

import { useMutation } from "@tanstack/react-query";
import { SendHorizontal } from "lucide-react";
import { useEffect, useRef } from "react";
import { useForm } from "react-hook-form";
import { CALLBACK_EVENTS, type CallbackEvent } from "#domain/callback.ts";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { Select, TextField } from "../../../_components/controls/field.tsx";
import { Id, Time } from "../../../_components/controls/values.tsx";
import { Refused } from "../../../_components/dialogs/use-deed.tsx";
import { Section, Spoken } from "../../../_components/frame/page-parts.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { patience } from "../../../_trpc/deadline.ts";
import { refusalOf } from "../../../_trpc/refusal.ts";
import { MetBadge } from "../../callbacks/attempt-view.tsx";
import { Exchange } from "../../callbacks/exchange.tsx";
import { EVENT_WORDS, metBy } from "../../callbacks/words.ts";
import { Waiting } from "./waiting.tsx";

type Sample = Answers["developers"]["testCallback"];
type Fields = { event: CallbackEvent; url: string };

/** As long as a receiver may take, and our way there and back. */
const RECEIVER_MS = 40_000;
const CHOICES = CALLBACK_EVENTS.map((value) => ({ value, label: `${EVENT_WORDS[value] ?? value} (${value})` }));

/** Sends one sample to a URL and shows the whole exchange. Nothing of it is kept: whoever leaves the page has seen it. */
export function CallbackTester({ url }: { url: string }) {
  const trpc = useTRPC();
  const test = useMutation(trpc.developers.testCallback.mutationOptions({ trpc: { context: patience(RECEIVER_MS) } }));
  const { register, handleSubmit, formState, setError } = useForm<Fields>({
    mode: "onTouched",
    defaultValues: { event: "settlement.executed", url },
  });
  const submit = handleSubmit(async (fields) => {
    const input = { event: fields.event, url: fields.url.trim() };
    await test.mutateAsync(input).catch((error: unknown) => {
      const fault = refusalOf(error)?.errors.find(({ pointer }) => pointer === "/url");
      if (fault) setError("url", { message: fault.message }, { shouldFocus: true });
    });
  });
  return (
    <>
      <p className="muted tester-lead">
        One callback about nothing, signed with your secrets and sent once, just as a real one is. Its ids begin with ten zeros: your
        receiver may know it by them and do nothing.
      </p>
      <form className="form tester" onSubmit={(event) => void submit(event)} noValidate>
        <Select label="Kind" choices={CHOICES} {...register("event")} />
        <TextField
          label="Send to"
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={2_048}
          placeholder="https://"
          hint={url === "" ? "The URL of your receiver" : "Filled in from your newest settlement"}
          error={formState.errors.url?.message}
          {...register("url", { validate: (text) => text.trim() !== "" || "Where is it to go?" })}
        />
        <div className="tester-send">
          <Button type="submit" look="primary" icon={SendHorizontal} pending={test.isPending}>
            Send sample
          </Button>
          {test.isPending && <Waiting />}
        </div>
      </form>
      {test.error && !isOfField(test.error) && <Refused error={test.error} />}
      <Spoken>{test.data && `${metBy(test.data.attempt)}: ${comment(test.data)}`}</Spoken>
      {test.data && <Result sample={test.data} />}
    </>
  );
}

/** What the field itself says already. */
function isOfField(error: unknown): boolean {
  return refusalOf(error)?.errors.some(({ pointer }) => pointer === "/url") ?? false;
}

function comment({ attempt }: Sample): string {
  return attempt.error_kind === null ? "Your receiver took it." : "A real callback would be tried again after this.";
}

function Result({ sample }: { sample: Sample }) {
  const { attempt } = sample;
  const heading = useRef<HTMLDivElement>(null);
  // It comes below what one looks at, on a phone out of sight.
  useEffect(() => {
    heading.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <Section title="What came of it" aside={<span className="muted">{attempt.duration_ms?.toLocaleString("en")} ms</span>}>
      <div className="tester-met" ref={heading}>
        <MetBadge attempt={attempt} />
        <span>{comment(sample)}</span>
      </div>
      <Exchange
        callback={sample}
        attempt={attempt}
        facts={[
          { key: "Kind", value: <code>{sample.event}</code> },
          { key: "Callback id", value: <Id value={sample.id} what="callback id" full /> },
          { key: "Sent", value: <Time at={attempt.sent_at} form="absolute" /> },
        ]}
      />
    </Section>
  );
}
