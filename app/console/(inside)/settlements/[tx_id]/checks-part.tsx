import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Time } from "../../../_components/controls/values.tsx";
import { Note, Section } from "../../../_components/frame/page-parts.tsx";
import { useLiveChanges, useRefresh, useTRPC } from "../../../_trpc/client.tsx";
import { HoldButtons, HoldDialog, type HoldOrder } from "../../treasury/held.tsx";
import type { Checks } from "./story.ts";

/** What limits and screenings said of its payment, with their versions, and what people decided. The operator's own business. */
export function ChecksPart({ txId, mayRelease }: { txId: string; mayRelease: boolean }) {
  const trpc = useTRPC();
  const options = trpc.exposure.checks.queryOptions({ owner_id: txId });
  const { data } = useQuery(options);
  const reload = useRefresh(options.queryKey, trpc.settlements.byId.queryKey({ tx_id: txId }));
  useLiveChanges(({ object_id }) => object_id === txId, reload);
  const [order, setOrder] = useState<HoldOrder | null>(null);
  if (data === undefined || data.verdicts.length === 0) return null;
  const { verdicts, holds } = data;
  const isOpen = holds.some(({ outcome }) => outcome === "open");
  const payment = { purpose: "settlement", owner_id: txId };
  return (
    <Section title="Checks" aside={isOpen && mayRelease && <HoldButtons payment={payment} onOrder={setOrder} />}>
      {holds.map((hold) => (
        <Note key={hold.id} {...(hold.outcome === "open" && { kind: "warning" as const })}>
          Held by a {hold.check} since <Time at={hold.held_at} form="absolute" />: {hold.reason}{" "}
          {hold.decision && (
            <>
              {hold.outcome === "ended" ? "It ended without a decision" : `${DECIDED[hold.outcome] ?? hold.outcome} by ${hold.decision.by}`}{" "}
              <Time at={hold.decision.at} form="absolute" />
              {hold.decision.reason && `: ${hold.decision.reason}`}
            </>
          )}
        </Note>
      ))}
      <ul className="checks">
        {verdicts.map((verdict) => (
          <Verdict key={verdict.id} verdict={verdict} />
        ))}
      </ul>
      {order && <HoldDialog order={order} onClose={() => setOrder(null)} onDone={reload} />}
    </Section>
  );
}

const DECIDED: Record<string, string> = { released: "Released", refused: "Refused" };
const STAGES: Record<string, string> = {
  quote: "At the quote",
  confirm: "At the confirmation",
  sign: "Before signing",
  release: "At the release",
};

function Verdict({ verdict: { check, stage, at, findings } }: { verdict: Checks["verdicts"][number] }) {
  return (
    <li>
      {STAGES[stage] ?? stage}, <Time at={at} form="absolute" />: a {check}
      <ul>
        {findings.map(({ key, version, outcome, dry_run, words, facts }) => (
          <li key={key}>
            <code>{key}</code> <span className="muted">version {version}</span>:{" "}
            {outcome === "pass" ? "passes" : dry_run ? "would hold" : "holds"}. {words}
            <details>
              <summary>Judged by</summary>
              <span className="muted">{facts.map(({ name, value }) => `${name.replaceAll("_", " ")} ${value}`).join(" · ")}</span>
            </details>
          </li>
        ))}
      </ul>
    </li>
  );
}
