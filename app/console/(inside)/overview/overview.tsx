"use client";

import { useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { LinkButton } from "../../_components/controls/button.tsx";
import type { Answer } from "../../_components/dialogs/use-answer.ts";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Answered, Empty, Skeleton } from "../../_components/lists/list-states.tsx";
import { Table } from "../../_components/lists/table.tsx";
import { columnsFor, HIDDEN_AT_FIRST } from "../settlements/columns.tsx";
import { AttentionStrip } from "./attention.tsx";
import { CallbackChart } from "./callback-chart.tsx";
import { KeyFigures } from "./key-figures.tsx";
import { FunnelChart, OutcomeChart } from "./outcome-charts.tsx";
import { ApprovalAgeChart, DecisionChart, ExecutionChart } from "./pace-charts.tsx";
import { RangeChoice } from "./range-choice.tsx";
import { lookOf, OVERVIEW_PARAMS } from "./search-params.ts";
import { Setup } from "./setup.tsx";
import { RateAges, RunwayChart } from "./standing-charts.tsx";
import { useOverview } from "./use-overview.ts";
import { VolumeChart } from "./volume-chart.tsx";

/** What wants attention, how it went against the period before, and the plots behind it. Each part may fail alone. */
export function Overview({ isOperator }: { isOperator: boolean }) {
  const [params, setParams] = useQueryStates(OVERVIEW_PARAMS, { history: "push", shallow: true });
  const look = lookOf(params);
  const isCompared = params.compare === null;
  const { now, figures, series, newest } = useOverview(look, isOperator);
  return (
    <>
      <PageHeader title="Overview" actions={<RangeChoice look={look} isCompared={isCompared} set={(next) => void setParams(next)} />} />
      <Part of={now} rows={1} label="Loading what wants attention">
        {(data) => (
          <>
            <AttentionStrip now={data} isOperator={isOperator} />
            {data.setup && <Setup setup={data.setup} />}
          </>
        )}
      </Part>
      <Part of={figures} rows={2} label="Loading the key figures">
        {(data) => <KeyFigures figures={data} look={look} isOperator={isOperator} isCompared={isCompared} />}
      </Part>
      <div className="charts">
        <Part of={figures}>{(data) => <OutcomeChart figures={data} />}</Part>
        <Part of={series}>{(data) => <VolumeChart series={data} isCompared={isCompared} />}</Part>
        <Part of={figures}>{(data) => <FunnelChart figures={data} />}</Part>
        <Part of={series}>{(data) => <ExecutionChart series={data} />}</Part>
        {isOperator && <Part of={series}>{(data) => <ApprovalAgeChart series={data} />}</Part>}
        {isOperator && <Part of={series}>{(data) => <DecisionChart series={data} />}</Part>}
        <Part of={figures}>{(data) => <CallbackChart figures={data} />}</Part>
        {isOperator && <Part of={now}>{({ inside }) => inside && <RunwayChart runway={inside.runway} />}</Part>}
        {isOperator && <Part of={now}>{({ inside }) => inside && <RateAges rates={inside.rates} />}</Part>}
      </div>
      {!isOperator && (
        <Section title="Newest settlements" aside={<LinkButton href="/console/settlements">All settlements</LinkButton>}>
          <Part of={newest} rows={10}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty title="No settlements yet">
                  <p>The steps above lead to the first one.</p>
                </Empty>
              ) : (
                <Table
                  caption="The ten newest settlements"
                  columns={columnsFor(false).filter(({ id }) => !HIDDEN_AT_FIRST.includes(id))}
                  rows={rows}
                  keyOf={({ settlement }) => settlement.tx_id}
                />
              )
            }
          </Part>
        </Section>
      )}
    </>
  );
}

type PartProps<Data> = {
  of: Answer<Data>;
  rows?: number;
  label?: string;
  children: (data: Data) => ReactNode;
};

/** One part of the page: waits, fails and is tried again by itself. What was shown before stays. */
function Part<Data>({ rows = 6, label = "Loading a plot", ...part }: PartProps<Data>) {
  return <Answered {...part} waiting={<Skeleton rows={rows} label={label} />} compact />;
}
