"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import { HoursForm } from "./hours-form.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { NOTICE_CHOICES } from "./words.ts";

type Translations = WithShared<typeof NOTICE_CHOICES>;

type Rule = { kind: keyof Translations["kinds"]; console: boolean; mail: boolean; webhook: boolean };

/** The user's notification settings: events, channels and times. */
export function WishList() {
  const t = useTranslations(NOTICE_CHOICES);
  const trpc = useTRPC();
  const wishes = useQuery(trpc.notifications.wishes.queryOptions());
  const refresh = useRefresh(trpc.notifications.wishes.queryKey());
  return (
    <>
      <Section title={t.title}>
        <QueryBoundary of={wishes} waiting={<Skeleton rows={6} />} compact>
          {({ rules, mail, email, webhook_host }) => (
            <>
              <Rules rules={rules} open={{ console: true, mail, webhook: webhook_host !== null }} onChange={refresh} />
              <p className="muted under-table">
                {mail ? t.mailTo(email) : t.noMail} {webhook_host === null ? t.noWebhook : t.webhook(webhook_host)}
              </p>
            </>
          )}
        </QueryBoundary>
      </Section>
      <Section title={t.hoursTitle}>
        <QueryBoundary of={wishes} waiting={<Skeleton rows={3} />} compact>
          {({ hours }) => <HoursForm hours={hours} onSaved={refresh} />}
        </QueryBoundary>
      </Section>
      <Section title={t.webhookColumn}>
        <QueryBoundary of={wishes} waiting={<Skeleton rows={1} />} compact>
          {({ webhook_host }) => <WebhookForm host={webhook_host} onSaved={refresh} />}
        </QueryBoundary>
      </Section>
    </>
  );
}

type RulesProps = { rules: readonly Rule[]; open: Record<keyof Translations["channels"], boolean>; onChange: () => void };

function Rules({ rules, open, onChange }: RulesProps) {
  const t = useTranslations(NOTICE_CHOICES);
  const { notifications } = useTRPCClient();
  const saving = useConfirmedMutation();
  /** A choice applies at once, before it is read back. A refused one does not. */
  const [chosen, setChosen] = useState<Rule | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was read again holds, unless more is chosen meanwhile
  useEffect(() => {
    if (!saving.pending) setChosen(null);
  }, [rules]);
  const shown = rules.map((rule) => (chosen?.kind === rule.kind && saving.error === null ? chosen : rule));
  const choose = (rule: Rule, road: keyof Translations["channels"]) => {
    const next = { ...rule, [road]: !rule[road] };
    setChosen(next);
    void saving.run(() => notifications.setRule.mutate(next), onChange);
  };
  const box = (road: keyof Translations["channels"], place: number): Column<Rule> => ({
    id: road,
    header: t.channels[road],
    card: place,
    cell: (rule) => (
      <label className="check">
        <input
          type="checkbox"
          aria-label={`${t.channels[road]}: ${t.kinds[rule.kind]}`}
          checked={rule[road]}
          disabled={saving.pending || (!open[road] && !rule[road])}
          onChange={() => choose(rule, road)}
        />
        <span className="wish-road" aria-hidden>
          {t.channels[road]}
        </span>
      </label>
    ),
  });
  const columns: Column<Rule>[] = [
    { id: "kind", header: t.when, card: 1, cell: ({ kind }) => t.kinds[kind] },
    box("console", 2.1),
    box("mail", 2.2),
    box("webhook", 2.3),
  ];
  return (
    <>
      {saving.error !== null && <Refused error={saving.error} />}
      <Table caption={t.caption} columns={columns} rows={shown} keyOf={({ kind }) => kind} />
    </>
  );
}
