"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Refused, useDeed } from "../../_components/dialogs/use-deed.tsx";
import { Section } from "../../_components/frame/page-parts.tsx";
import { Answered, Skeleton } from "../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../_trpc/client.tsx";
import { HoursForm } from "./hours-form.tsx";
import { WebhookForm } from "./webhook-form.tsx";

type Rule = { kind: keyof typeof KINDS; console: boolean; mail: boolean; webhook: boolean };

const KINDS = {
  approval_waits: "A settlement waits for approval",
  second_yes: "A second person is wanted",
  callback_gave_up: "Callbacks to a receiver were given up",
  low_balance: "A treasury wallet runs low",
  lane_halted: "Payments have been halted",
  new_place: "Your account was signed in to from a new place",
} as const;
const ROADS = { console: "Console", mail: "Mail", webhook: "Webhook" } as const;

/** What one is told of, by which roads, and when. */
export function WishList() {
  const trpc = useTRPC();
  const wishes = useQuery(trpc.notifications.wishes.queryOptions());
  const refresh = useRefresh(trpc.notifications.wishes.queryKey());
  return (
    <>
      <Section title="What you are told of">
        <Answered of={wishes} waiting={<Skeleton rows={6} />} compact>
          {({ rules, mail, email, webhook_host }) => (
            <>
              <Rules rules={rules} open={{ console: true, mail, webhook: webhook_host !== null }} onChange={refresh} />
              <p className="muted">
                {mail ? `Mail goes to ${email}.` : "This installation sends no mail."}{" "}
                {webhook_host === null ? "Name a webhook below to be told by it." : `The webhook is at ${webhook_host}.`}
              </p>
            </>
          )}
        </Answered>
      </Section>
      <Section title="When you are told">
        <Answered of={wishes} waiting={<Skeleton rows={3} />} compact>
          {({ hours }) => <HoursForm hours={hours} onSaved={refresh} />}
        </Answered>
      </Section>
      <Section title="Webhook">
        <Answered of={wishes} waiting={<Skeleton rows={1} />} compact>
          {({ webhook_host }) => <WebhookForm host={webhook_host} onSaved={refresh} />}
        </Answered>
      </Section>
    </>
  );
}

type RulesProps = { rules: readonly Rule[]; open: Record<keyof typeof ROADS, boolean>; onChange: () => void };

function Rules({ rules, open, onChange }: RulesProps) {
  const { notifications } = useTRPCClient();
  const saving = useDeed();
  /** What was just chosen stands at once, and until it is read anew; what was refused does not. */
  const [chosen, setChosen] = useState<Rule | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was read anew holds
  useEffect(() => setChosen(null), [rules]);
  const shown = rules.map((rule) => (chosen?.kind === rule.kind && saving.error === null ? chosen : rule));
  const choose = (rule: Rule, road: keyof typeof ROADS) => {
    const next = { ...rule, [road]: !rule[road] };
    setChosen(next);
    void saving.run(() => notifications.setRule.mutate(next), onChange);
  };
  const box = (road: keyof typeof ROADS, place: number): Column<Rule> => ({
    id: road,
    header: ROADS[road],
    card: place,
    cell: (rule) => (
      <label className="check">
        <input
          type="checkbox"
          aria-label={`${ROADS[road]}: ${KINDS[rule.kind]}`}
          checked={rule[road]}
          disabled={saving.pending || (!open[road] && !rule[road])}
          onChange={() => choose(rule, road)}
        />
        <span aria-hidden>{ROADS[road]}</span>
      </label>
    ),
  });
  const columns: Column<Rule>[] = [
    { id: "kind", header: "When", card: 1, cell: ({ kind }) => KINDS[kind] },
    box("console", 2.1),
    box("mail", 2.2),
    box("webhook", 2.3),
  ];
  return (
    <>
      {saving.error !== null && <Refused error={saving.error} />}
      <Table caption="What you are told of, and how" columns={columns} rows={shown} keyOf={({ kind }) => kind} />
    </>
  );
}
