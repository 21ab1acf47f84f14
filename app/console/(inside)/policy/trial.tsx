import { useState } from "react";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Select } from "../../_components/controls/field.tsx";
import { Progress } from "../../_components/controls/progress.tsx";
import { useParts } from "../../_components/controls/use-parts.ts";
import { Id, Money, Time } from "../../_components/controls/values.tsx";
import { Refused, useConfirmedMutation } from "../../_components/dialogs/use-confirmed-mutation.tsx";
import { Announcement, Note } from "../../_components/frame/page-parts.tsx";
import { type Column, Table } from "../../_components/lists/table.tsx";
import { useTRPCClient } from "../../_trpc/client.tsx";
import { useTranslations, type WithShared } from "../../_words/words.ts";
import type { Trial as Answer, TriedRow } from "./answers.ts";
import { joinTrials } from "./join-trials.ts";
import { TRIAL } from "./words.ts";

type Rules = readonly WrittenRule[];
const DAYS = { day: 1, week: 7, month: 30, quarter: 90 } as const;
type Span = keyof typeof DAYS;
const SPANS = ["day", "week", "month", "quarter"] as const;
const DAY_MS = 86_400_000;

/** What the draft would have demanded of past settlements. Runs on request, and says which settlements it covers. */
export function Trial({ rules }: { rules: Rules }) {
  const t = useTranslations(TRIAL);
  const { approvalPolicy } = useTRPCClient();
  const [span, setSpan] = useState<Span>("week");
  const [found, setFound] = useState<{ rules: Rules; span: Span; answer: Answer } | null>(null);
  const { run, pending, error } = useConfirmedMutation(t.failed);
  const parts = useParts();
  const go = () => {
    const to = new Date();
    const period = { from: new Date(to.getTime() - DAYS[span] * DAY_MS).toISOString(), to: to.toISOString() };
    const ask = (last: Answer | null) =>
      approvalPolicy.try.mutate({ rules: rules.map((rule) => ({ ...rule })), ...period, after: last?.next ?? null });
    const reach = (all: readonly Answer[]) => {
      const [last, done] = [all.at(-1), all.reduce((sum, { examined }) => sum + examined, 0)];
      return { done, of: last?.of ?? done, more: last?.next != null };
    };
    void run(
      () => parts.walk({ ask, reach }),
      (answers) => {
        const answer = joinTrials(answers ?? []);
        if (answer !== null) setFound({ rules, span, answer });
      },
    );
  };
  const isOld = found !== null && (found.rules !== rules || found.span !== span);
  return (
    <section className="trial" aria-label={t.title}>
      <h3>{t.title}</h3>
      <p className="muted">{t.explanation}</p>
      <div className="trial-asks">
        <Select
          label={t.period}
          choices={SPANS.map((value) => ({ value, label: t[value] }))}
          value={span}
          onChange={({ target }) => setSpan(SPANS.find((each) => each === target.value) ?? "week")}
        />
        <Button pending={pending} onClick={go}>
          {pending ? t.runs : t.run}
        </Button>
      </div>
      {parts.reached !== null && <Progress {...parts.reached} what={t.settlements} onCancel={parts.cancel} />}
      {error !== null && <Refused error={error} />}
      {isOld && <Note>{t.outdated}</Note>}
      {found && !isOld && <Found answer={found.answer} />}
    </section>
  );
}

function Found({ answer }: { answer: Answer }) {
  const t = useTranslations(TRIAL);
  const { examined, is_sample, since, would_wait, no_longer, more_asked, as_before } = answer;
  const count = t.format.count(examined);
  return (
    <>
      <p>
        {is_sample && since !== null ? (
          <>
            {t.sample(count)} <Time at={since} form="absolute" />.
          </>
        ) : (
          t.examined(count)
        )}{" "}
        <span className="muted">
          {more_asked > 0 && t.wouldNeedMore(more_asked)} {as_before > 0 && t.wouldStillWait(as_before)}
        </span>
      </p>
      <Part title={t.wouldWait(would_wait.count)} part={would_wait} />
      <Part title={t.wouldNoLongerWait(no_longer.count)} part={no_longer} />
      <Announcement>{`${t.wouldWait(would_wait.count)}. ${t.wouldNoLongerWait(no_longer.count)}.`}</Announcement>
    </>
  );
}

function Part({ title, part: { count, source, rows } }: { title: string; part: Answer["would_wait"] }) {
  const t = useTranslations(TRIAL);
  if (count === 0) return <p className="muted">{title}.</p>;
  return (
    <section className="trial-part" aria-label={title}>
      <h4>{title}</h4>
      <p>
        {t.sum}:{" "}
        {source.map(({ currency, amount }, place) => (
          <span key={currency}>
            {place > 0 && " + "}
            <Money amount={amount} currency={currency} />
          </span>
        ))}
        {count > rows.length && <span className="muted"> · {t.newestShown(rows.length, count)}</span>}
      </p>
      <Table caption={t.caption(title)} columns={columnsOf(t)} rows={rows} keyOf={({ id }) => id} />
    </section>
  );
}

function columnsOf({ columns: named, settlementNoun }: WithShared<typeof TRIAL>): Column<TriedRow>[] {
  return [
    {
      id: "settlement",
      header: named.settlement,
      card: 1.2,
      aside: true,
      cell: ({ id }) => <Id value={id} what={settlementNoun} href={`/console/settlements/${id}`} />,
    },
    {
      id: "partner",
      header: named.partner,
      card: 2.1,
      cell: ({ partner_name, external_merchant_id }) => (
        <span translate="no">
          {partner_name} <span className="muted">{external_merchant_id}</span>
        </span>
      ),
    },
    {
      id: "amount",
      header: named.amount,
      align: "end",
      card: 1.1,
      cell: ({ source_amount, source_currency }) => <Money amount={source_amount} currency={source_currency} />,
    },
    {
      id: "rule",
      header: named.rule,
      card: 2.2,
      cell: ({ rule_id }) => rule_id && <code translate="no">{rule_id}</code>,
    },
    { id: "needed", header: named.needed, align: "end", cell: ({ needed }) => needed },
    { id: "at", header: named.at, cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}
