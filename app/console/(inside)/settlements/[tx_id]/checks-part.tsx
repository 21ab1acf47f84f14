import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Time } from "../../../_components/controls/values.tsx";
import { Note, Section } from "../../../_components/frame/page-parts.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { Served } from "../../../_words/served.tsx";
import { Told } from "../../../_words/told.tsx";
import { useWords } from "../../../_words/words.ts";
import type { HoldOrder } from "../../treasury/answers.ts";
import { HoldButtons, HoldDialog } from "../../treasury/hold-buttons.tsx";
import { CHECKS_PART } from "./payment-words.ts";
import type { Checks } from "./story.ts";

type Props = { ownerId: string; mayRelease: boolean; onDecided: () => void };

/** What limits and screenings said of the payment of a settlement or an order, with their versions, and what people decided. The operator's own business. */
export function ChecksPart({ ownerId, mayRelease, onDecided }: Props) {
  const says = useWords(CHECKS_PART);
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
    <Section title={says.checks} aside={payment && mayRelease && <HoldButtons payment={payment} onOrder={setOrder} />}>
      {holds.map((hold) => (
        <Note key={hold.id} {...(hold.outcome === "open" && { kind: "warning" as const })}>
          <Told
            sentence={says.heldBySince(hold.check)}
            time={<Time at={hold.held_at} form="absolute" />}
            reason={<Served>{hold.reason}</Served>}
          />{" "}
          {hold.decision && (
            <>
              <Told
                sentence={
                  hold.outcome === "ended" ? says.ended : says.decidedBy(says.decided[hold.outcome] ?? hold.outcome, hold.decision.by)
                }
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
  const says = useWords(CHECKS_PART);
  return (
    <li>
      <Told sentence={says.a(says.stages[stage] ?? stage, check)} time={<Time at={at} form="absolute" />} />
      <ul>
        {findings.map(({ key, version, outcome, dry_run, words, facts }) => (
          <li key={key}>
            <code>{key}</code> <span className="muted">{says.version(version)}</span>:{" "}
            {outcome === "pass" ? says.passes : dry_run ? says.wouldHold : says.holds}. <Served>{words}</Served>
            <details>
              <summary>{says.judgedBy}</summary>
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
