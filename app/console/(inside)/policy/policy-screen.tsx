"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { WrittenRule } from "#domain/policy-rule.ts";
import { Button } from "../../_components/controls/button.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { Time } from "../../_components/controls/values.tsx";
import { Note, PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary, Skeleton } from "../../_components/lists/list-states.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../_trpc/client.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Version } from "./answers.ts";
import { Draft } from "./draft.tsx";
import { type Able, RuleSentence } from "./rule-sentence.tsx";
import { POLICY } from "./words.ts";

/** The approval policy: the rules in force, a draft with a trial, and every earlier version. */
export function PolicyScreen({ mayChange }: { mayChange: boolean }) {
  const t = useTranslations(POLICY);
  const trpc = useTRPC();
  const query = useQuery(trpc.approvalPolicy.read.queryOptions());
  const choices = useQuery(trpc.settlements.choices.queryOptions());
  const proposals = useQuery(trpc.proposals.list.queryOptions());
  const reload = useRefresh(trpc.approvalPolicy.read.queryKey(), trpc.proposals.list.queryKey());
  useLiveChanges(({ action }) => action.startsWith("approval_policy.") || action.startsWith("proposal."), reload);
  const [begun, setBegun] = useState<{ version: number; rules: readonly WrittenRule[] } | null>(null);
  const isProposed = proposals.data?.open.some(({ kind }) => kind === "approval_policy") === true;
  return (
    <>
      <PageHeader title={t.approvalPolicy} />
      <QueryBoundary of={query} waiting={<Skeleton rows={4} />}>
        {({ versions, people }) => {
          const [current, ...older] = versions;
          const begin = () => setBegun({ version: current?.version ?? 0, rules: current?.rules ?? [] });
          return (
            <>
              {isProposed && (
                <Note kind="warning">
                  {t.proposed} <Link href="/console/proposals">{t.proposedLink}</Link>
                </Note>
              )}
              <Section
                title={t.rulesTitle}
                aside={
                  mayChange &&
                  begun === null && (
                    <Button disabled={choices.data === undefined} onClick={begin}>
                      {t.change}
                    </Button>
                  )
                }
              >
                <div className="policy">
                  <p className="muted">
                    {t.floor} <Link href="/console/rates">{t.ratesAndPairs}</Link>
                  </p>
                  {current && <Made version={current} title={t.inForce(current.version)} />}
                  {current === undefined || current.rules.length === 0 ? (
                    <Empty title={t.none} more={t.noneMore} />
                  ) : (
                    <>
                      <p className="muted">{t.rulesExplained}</p>
                      <RuleList rules={current.rules} able={current.able} label={t.rulesTitle} />
                    </>
                  )}
                </div>
              </Section>
              {begun !== null && choices.data !== undefined && (
                <Draft
                  key={begun.version}
                  begun={begun}
                  current={current?.version ?? 0}
                  choices={choices.data}
                  people={people}
                  onRestart={begin}
                  onEnd={() => setBegun(null)}
                />
              )}
              {older.length > 0 && (
                <Section title={t.olderTitle}>
                  <ul className="policy-versions">
                    {older.map((version) => (
                      <li key={version.version}>
                        <details>
                          <summary>
                            <Made version={version} title={t.version(version.version)} />
                          </summary>
                          {version.rules.length === 0 ? (
                            <p className="muted">{t.noRules}</p>
                          ) : (
                            <RuleList rules={version.rules} label={t.version(version.version)} />
                          )}
                        </details>
                      </li>
                    ))}
                  </ul>
                </Section>
              )}
            </>
          );
        }}
      </QueryBoundary>
    </>
  );
}

function Made({ version: { made_at, made_by, reason }, title }: { version: Version; title: string }) {
  const t = useTranslations(POLICY);
  return (
    <span className="policy-made">
      <strong>{title}</strong> <Time at={made_at} /> {made_by === null ? t.byCommandLine : t.by(made_by)}
      {reason !== "" && (
        <span className="muted" translate="no">
          {" "}
          “{reason}”
        </span>
      )}
    </span>
  );
}

/** The rules in order, each as a sentence with its name. */
function RuleList({ rules, able = [], label }: { rules: readonly WrittenRule[]; able?: readonly Able[]; label: string }) {
  return (
    <ol className="rules" aria-label={label}>
      {rules.map((rule, place) => (
        <li key={rule.id} className="rule">
          <code className="rule-name" translate="no">
            {rule.id}
          </code>
          <RuleSentence rule={rule} able={able[place]} />
        </li>
      ))}
    </ol>
  );
}
