"use client";

import { useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck } from "lucide-react";
import { GO_LIVE } from "#domain/go-live.ts";
import { Link } from "../../../_components/controls/link.tsx";
import { Section } from "../../../_components/frame/page-parts.tsx";
import { ErrorState, Skeleton } from "../../../_components/lists/list-states.tsx";
import { useTRPC } from "../../../_trpc/client.tsx";
import { useTranslations } from "../../../_words/words.ts";
import { GO_LIVE_WORDS } from "./words.ts";

/** The checklist of the documentation's page, ticked for this partner. Only owners can finish a step. */
export function Checklist({ isOwner }: { isOwner: boolean }) {
  const t = useTranslations(GO_LIVE_WORDS);
  const trpc = useTRPC();
  const steps = useQuery(trpc.developers.goLive.queryOptions());
  if (steps.isPending) return <Skeleton rows={7} />;
  if (!steps.data) return <ErrorState error={steps.error} onRetry={() => void steps.refetch()} />;
  const isDone = (step: string) => steps.data.some((each) => each.step === step && each.done);
  const done = steps.data.filter((each) => each.done).length;
  return (
    <Section title={t.label} aside={<span className="muted">{t.done(done, steps.data.length)}</span>}>
      <ol className="checklist" aria-label={t.label}>
        {GO_LIVE.map(({ step, page, screen }) => {
          const { title, text } = t.steps[step];
          return (
            <li key={step} data-done={isDone(step) || undefined}>
              <span className="setup-mark">{isDone(step) ? <CircleCheck aria-hidden size={18} /> : <Circle aria-hidden size={18} />}</span>
              <div>
                <p className="checklist-title">
                  {title} <span className="checklist-state">{isDone(step) ? t.doneLabel : t.openLabel}</span>
                </p>
                <p className="muted">{text}</p>
                <p className="checklist-links">
                  {isOwner && (
                    <Link href={screen}>
                      {t.where}
                      <span className="sr-only">{t.linkTo(title)}</span>
                    </Link>
                  )}
                  <a href={page}>
                    {t.how}
                    <span className="sr-only">{t.linkTo(title)}</span>
                  </a>
                </p>
              </div>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
