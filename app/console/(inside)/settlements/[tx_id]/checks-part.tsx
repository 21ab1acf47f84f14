import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Time } from "../../../_components/controls/values.tsx";
import { Note, Section } from "../../../_components/frame/page-parts.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { Served, Trans, useTranslations } from "../../../_words/words.ts";
import type { HoldOrder } from "../../treasury/answers.ts";
import { CHECK_WORDS } from "../../treasury/held-words.ts";
import { HoldButtons, HoldDialog } from "../../treasury/hold-buttons.tsx";
import { CHECKS_PART } from "./payment-words.ts";
import type { Checks } from "./story.ts";

type Props = { ownerId: string; mayRelease: boolean; onDecided: () => void };

/**
 * The verdicts of limits and screenings on the payment of a settlement or an order, with their versions, and people's decisions. Only for
 * operators.
 */
export function ChecksPart({ ownerId, mayRelease, onDecided }: Props) {
  const [t, checks] = [useTranslations(CHECKS_PART), useTranslations(CHECK_WORDS)];
  const trpc = useTRPC();
  const options = trpc.exposure.checks.queryOptions({ owner_id: ownerId });
  const { data } = useQuery(options);
  const reload = useRefresh(options.queryKey);
  useLiveChanges(({ object_id }) => object_id === ownerId, reload);
  const [order, setOrder] = useState<HoldOrder | null>(null);
  if (data === undefined || data.verdicts.length === 0) return null;
  const { verdicts, holds } = data;
  const open = holds.find(({ outcome }) => outcome === "open");
  const payment = open && { purpose: open.purpose, owner_id: ownerId };
  const decided = () => {
    reload();
    onDecided();
  };
  return (
    <Section title={t.checks} aside={payment && mayRelease && <HoldButtons payment={payment} onOrder={setOrder} />}>
      {holds.map((hold) => (
        <Note key={hold.id} {...(hold.outcome === "open" && { kind: "warning" as const })}>
          <Trans
            sentence={t.heldSince}
            check={checks[hold.check] ?? hold.check}
            time={<Time at={hold.held_at} form="absolute" />}
            reason={<Served>{hold.reason}</Served>}
          />{" "}
          {hold.decision && (
            <>
              <Trans
                sentence={hold.outcome === "ended" ? t.ended : t.decidedBy(t.decided[hold.outcome] ?? hold.outcome, hold.decision.by)}
                time={<Time at={hold.decision.at} form="absolute" />}
              />
              {hold.decision.reason && <Served>: {hold.decision.reason}</Served>}
            </>
          )}
        </Note>
      ))}
      <ul className="checks">
        {verdicts.map((verdict) => (
          <Verdict key={verdict.id} verdict={verdict} />
        ))}
      </ul>
      {order && <HoldDialog order={order} onClose={() => setOrder(null)} onDone={decided} />}
    </Section>
  );
}

function Verdict({ verdict: { check, stage, at, findings } }: { verdict: Checks["verdicts"][number] }) {
  const [t, checks] = [useTranslations(CHECKS_PART), useTranslations(CHECK_WORDS)];
  return (
    <li>
      <Trans sentence={t.verdict(t.stages[stage] ?? stage, checks[check] ?? check)} time={<Time at={at} form="absolute" />} />
      <ul>
        {findings.map(({ key, version, outcome, dry_run, words, facts }) => (
          <li key={key}>
            <code>{key}</code> <span className="muted">{t.version(version)}</span>:{" "}
            {outcome === "pass" ? t.passes : dry_run ? t.wouldHold : t.holds}. <Served>{words}</Served>
            <details>
              <summary>{t.judgedBy}</summary>
              <span className="muted" translate="no">
                {facts.map(({ name, value }) => `${name.replaceAll("_", " ")} ${value}`).join(" · ")}
              </span>
            </details>
          </li>
        ))}
      </ul>
    </li>
  );
}
