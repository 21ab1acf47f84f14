"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answers } from "#server/console/router.ts";
import { Button } from "../../../_components/controls/button.tsx";
import { useToast } from "../../../_components/controls/toast.tsx";
import { Money, Time } from "../../../_components/controls/values.tsx";
import { ConfirmDialog } from "../../../_components/dialogs/confirm-dialog.tsx";
import { Refused } from "../../../_components/dialogs/use-confirmed-mutation.tsx";
import { PageHeader, Section } from "../../../_components/frame/page-parts.tsx";
import { troubleWords } from "../../../_components/frame/trouble-words.ts";
import { HEALTH_LINE } from "../../../_components/frame/words.ts";
import { QueryBoundary, Skeleton } from "../../../_components/lists/list-states.tsx";
import { type Column, Table } from "../../../_components/lists/table.tsx";
import { useRefresh, useTRPC, useTRPCClient } from "../../../_trpc/client.tsx";
import { Data, Trans, useTranslations, type WithShared } from "../../../_words/words.ts";
import { OutcomeChart } from "../../overview/outcome-charts.tsx";
import { INCIDENT, PAGE } from "../words.ts";
import { Timeline } from "./timeline.tsx";
import { useAdding } from "./use-adding.ts";

type Shown = Answers["incidents"]["byId"];
type Stopped = Shown["stopped"][number];
type Props = { id: string; steps: readonly string[]; mayAct: boolean };

const LOOK_EVERY_MS = 3_000;

/** One incident, while it lasts and afterwards. */
export function Incident({ id, steps, mayAct }: Props) {
  const [page, line] = [useTranslations(PAGE), useTranslations(HEALTH_LINE)];
  const query = useQuery(useTRPC().incidents.byId.queryOptions({ id }, { refetchInterval: LOOK_EVERY_MS }));
  return (
    <QueryBoundary of={query} waiting={<Skeleton rows={8} />}>
      {(incident) => (
        <>
          <PageHeader
            title={troubleWords(incident, line)}
            within={{ href: "/console/incidents", label: page.title }}
            actions={<Actions incident={incident} mayAct={mayAct} />}
          />
          <Facts incident={incident} />
          {incident.ended_at === null && <NotPaid stopped={incident.stopped} />}
          <Steps incident={incident} steps={steps} mayAct={mayAct} />
          {incident.ended_at === null && <Activity />}
          <Timeline incident={incident} mayAct={mayAct} />
        </>
      )}
    </QueryBoundary>
  );
}

function Actions({ incident, mayAct }: { incident: Shown; mayAct: boolean }) {
  const t = useTranslations(INCIDENT);
  const { incidents } = useTRPCClient();
  const refresh = useRefresh(useTRPC().incidents.pathKey());
  const toast = useToast();
  const { add, pending } = useAdding(incident.id);
  const [isEnding, setEnding] = useState(false);
  if (!mayAct || incident.ended_at !== null) return null;
  return (
    <>
      {!incident.is_mine && (
        <Button onClick={() => add({ kind: "taken" })} pending={pending}>
          {t.take}
        </Button>
      )}
      <Button onClick={() => setEnding(true)}>{t.end}</Button>
      {isEnding && (
        <ConfirmDialog
          title={t.endTitle}
          description={t.endMeans}
          button={t.end}
          mutation={() => incidents.add.mutate({ id: incident.id, addition: { kind: "ended" } })}
          onDone={() => {
            toast(t.ended);
            refresh();
          }}
          onClose={() => setEnding(false)}
        />
      )}
    </>
  );
}

function Facts({ incident: { began_at, ended_at, owner } }: { incident: Shown }) {
  const t = useTranslations(INCIDENT);
  return (
    <div className="incident-facts">
      <p className="muted">
        {ended_at === null ? (
          <Trans sentence={t.lasts} time={<Time at={began_at} form="absolute" />} />
        ) : (
          t.lasted(t.format.span(Date.parse(ended_at) - Date.parse(began_at)))
        )}{" "}
        {owner && <Trans sentence={t.owner} name={<Data>{owner.name}</Data>} time={<Time at={owner.since} />} />}
      </p>
    </div>
  );
}

function NotPaid({ stopped }: { stopped: Stopped[] }) {
  const t = useTranslations(INCIDENT);
  return (
    <Section title={t.stopped}>
      {stopped.length === 0 ? (
        <p>{t.nothingStopped}</p>
      ) : (
        <Table
          caption={t.stoppedCaption}
          columns={stoppedColumns(t)}
          rows={stopped}
          keyOf={({ reason, currency }) => `${reason} ${currency}`}
        />
      )}
    </Section>
  );
}

function stoppedColumns(t: WithShared<typeof INCIDENT>): Column<Stopped>[] {
  const causes: Readonly<Record<string, string>> = t.causes;
  return [
    { id: "cause", header: t.cause, pinned: true, card: 1, cell: ({ reason }) => causes[reason] ?? reason },
    { id: "payments", header: t.payments, align: "end", card: 2, cell: ({ payments }) => t.format.count(payments) },
    { id: "partners", header: t.partners, align: "end", cell: ({ partners }) => t.format.count(partners) },
    {
      id: "amount",
      header: t.amount,
      align: "end",
      card: 2.1,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ];
}

/** The runbook's steps as ticks, each with who did it. */
function Steps({ incident, steps, mayAct }: { incident: Shown; steps: readonly string[]; mayAct: boolean }) {
  const t = useTranslations(INCIDENT);
  const { add, error } = useAdding(incident.id);
  const { runbook, done, ended_at } = incident;
  return (
    <Section
      title={t.steps}
      aside={
        runbook !== null && (
          <span className="muted">
            <Trans
              sentence={t.stepsOf}
              link={
                <a href={`/console/runbooks/${runbook}`} target="_blank" rel="noreferrer" translate="no">
                  {runbook}
                </a>
              }
            />
          </span>
        )
      }
    >
      {error !== null && <Refused error={error} />}
      {steps.length === 0 ? (
        <p className="muted">{t.noSteps}</p>
      ) : (
        <ol className="incident-steps">
          {steps.map((text, step) => {
            const by = done.find((each) => each.step === step);
            return (
              <li key={text} className="incident-step">
                <label className="check">
                  <input
                    type="checkbox"
                    checked={by !== undefined}
                    disabled={!mayAct || ended_at !== null}
                    onChange={() => add({ kind: by === undefined ? "step_done" : "step_undone", step, text: text.slice(0, 1_000) })}
                  />
                  <span lang="en">{text}</span>
                </label>
                {by && (
                  <span className="muted small">
                    <Trans sentence={t.doneBy} name={<Data>{by.by}</Data>} time={<Time at={by.at} />} />
                  </span>
                )}
              </li>
            );
          })}
        </ol>
      )}
    </Section>
  );
}

/** Settlements before and after it began. */
function Activity() {
  const t = useTranslations(INCIDENT);
  const { data } = useQuery(useTRPC().overview.figures.queryOptions({ range: "1h" }, { refetchInterval: 10 * LOOK_EVERY_MS }));
  return data ? (
    <Section title={t.activity}>
      <OutcomeChart figures={data} />
    </Section>
  ) : null;
}
