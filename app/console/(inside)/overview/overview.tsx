"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import { useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import type { Answer } from "../../_components/dialogs/use-answer.ts";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Empty, QueryBoundary, Shape, Skeleton } from "../../_components/lists/list-states.tsx";
import { Table } from "../../_components/lists/table.tsx";
import { useTranslations } from "../../_words/words.ts";
import { columnsFor, HIDDEN_AT_FIRST } from "../settlements/columns.tsx";
import { COLUMNS } from "../settlements/words.ts";
import { CallbackChart } from "./callback-chart.tsx";
import { Health, useHealth } from "./health.tsx";
import { KeyFigures } from "./key-figures.tsx";
import { Opening } from "./opening.tsx";
import { FunnelChart, OutcomeChart } from "./outcome-charts.tsx";
import { RangeChoice } from "./range-choice.tsx";
import { lookOf, OVERVIEW_PARAMS } from "./search-params.ts";
import { Setup } from "./setup.tsx";
import { ApprovalAgeChart, DecisionChart, ExecutionChart } from "./timing-charts.tsx";
import { RateAges, RunwayChart } from "./treasury-charts.tsx";
import { useAsked, useOverview } from "./use-overview.ts";
import { VolumeChart } from "./volume-chart.tsx";
import { OVERVIEW } from "./words.ts";

/** What needs somebody, health and figures; the rest is behind a button. Each part can fail without the others. */
export function Overview({ isOperator, mayAct, mayConfirm }: { isOperator: boolean; mayAct: boolean; mayConfirm: boolean }) {
  const [t, columns] = [useTranslations(OVERVIEW), useTranslations(COLUMNS)];
  const [params, setParams] = useQueryStates(OVERVIEW_PARAMS, { history: "push", shallow: true });
  const look = lookOf(params);
  const isCompared = params.compare === null;
  const showsMore = params.figures === "all";
  const { now, figures, series, newest } = useOverview(look, isOperator);
  const health = useHealth(now.data, isOperator);
  const asked = useAsked(isOperator, mayConfirm);
  const plot = <Shape of="plot" label={t.loadingPlot} />;
  return (
    <>
      <PageHeader title={t.title} actions={<RangeChoice look={look} isCompared={isCompared} set={(next) => void setParams(next)} />} />
      <Part of={now} waiting={<Shape of="health" label={t.loadingHealth} />}>
        {(data) => (
          <>
            <Opening now={data} parts={health} asked={asked} isOperator={isOperator} mayAct={mayAct} />
            <Health parts={health} />
            {data.setup && <Setup setup={data.setup} />}
          </>
        )}
      </Part>
      <Part of={figures} waiting={<Shape of="figures" label={t.loadingFigures} />}>
        {(data) => <KeyFigures figures={data} look={look} isOperator={isOperator} isCompared={isCompared} />}
      </Part>
      <div className="charts">
        <Part of={figures} waiting={plot}>
          {(data) => <OutcomeChart figures={data} />}
        </Part>
        <Part of={series} waiting={plot}>
          {(data) => <VolumeChart series={data} isCompared={isCompared} />}
        </Part>
      </div>
      <div className="charts-more">
        <Button
          look="quiet"
          icon={showsMore ? ChevronUp : ChevronDown}
          aria-expanded={showsMore}
          onClick={() => void setParams({ figures: showsMore ? null : "all" }, { history: "replace" })}
        >
          {showsMore ? t.fewer : t.more}
        </Button>
      </div>
      {showsMore && (
        <div className="charts">
          <Part of={figures} waiting={plot}>
            {(data) => <CallbackChart figures={data} />}
          </Part>
          <Part of={series} waiting={plot}>
            {(data) => <ExecutionChart series={data} />}
          </Part>
          <Part of={figures} waiting={plot}>
            {(data) => <FunnelChart figures={data} />}
          </Part>
          {isOperator && (
            <>
              <Part of={series} waiting={plot}>
                {(data) => <ApprovalAgeChart series={data} />}
              </Part>
              <Part of={series} waiting={plot}>
                {(data) => <DecisionChart series={data} />}
              </Part>
              <Part of={now} waiting={plot}>
                {({ inside }) => inside && <RunwayChart runway={inside.runway} />}
              </Part>
              <Part of={now} waiting={plot}>
                {({ inside }) => inside && <RateAges rates={inside.rates} />}
              </Part>
            </>
          )}
        </div>
      )}
      {!isOperator && (
        <Section title={t.newest} aside={<LinkButton href="/console/settlements">{t.all}</LinkButton>}>
          <Part of={newest} waiting={<Skeleton rows={10} />}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty title={t.noSettlementsYet} more={t.noneYetMore} />
              ) : (
                <Table
                  caption={t.newestCaption}
                  columns={columnsFor(false, columns).filter(({ id }) => !HIDDEN_AT_FIRST.includes(id))}
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

type PartProps<Data> = { of: Answer<Data>; waiting: ReactNode; children: (data: Data) => ReactNode };

/** One part of the page. It loads, fails and retries independently, and keeps its earlier content. */
function Part<Data>(part: PartProps<Data>) {
  return <QueryBoundary {...part} compact />;
}
