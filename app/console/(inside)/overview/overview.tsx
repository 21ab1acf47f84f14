"use client";

import { ChevronDown, ChevronUp } from "lucide-react";
import { Button, LinkButton } from "../../_components/controls/button.tsx";
import { lazyComponent } from "../../_components/controls/lazy-component.tsx";
import { PageHeader, Section } from "../../_components/frame/page-parts.tsx";
import { Shape, Skeleton } from "../../_components/lists/list-states.tsx";
import { useAddressParams } from "../../_components/lists/use-address-params.ts";
import { useTranslations } from "../../_words/words.ts";
import { Health, useHealth } from "./health.tsx";
import { hasBefore, KeyFigures } from "./key-figures.tsx";
import { Opening } from "./opening.tsx";
import { OutcomeChart } from "./outcome-charts.tsx";
import { Part } from "./part.tsx";
import { RangeChoice } from "./range-choice.tsx";
import { lookOf, OVERVIEW_PARAMS } from "./search-params.ts";
import { Setup } from "./setup.tsx";
import { useAsked, useOverview } from "./use-overview.ts";
import { VolumeChart } from "./volume-chart.tsx";
import { OVERVIEW } from "./words.ts";

const MoreFigures = lazyComponent(() => import("./more-figures.tsx").then((loaded) => loaded.MoreFigures));
const NewestWaiting = () => <Skeleton rows={10} />;
/** Only a partner's overview has it, and an operator's does not load it. */
const Newest = lazyComponent(() => import("./newest.tsx").then((loaded) => loaded.Newest), NewestWaiting);

/** What needs somebody, health and figures; the rest is behind a button. Each part can fail without the others. */
export function Overview({ isOperator, mayAct, mayConfirm }: { isOperator: boolean; mayAct: boolean; mayConfirm: boolean }) {
  const t = useTranslations(OVERVIEW);
  const [params, setParams] = useAddressParams(OVERVIEW_PARAMS);
  const look = lookOf(params);
  const isCompared = params.compare === null;
  const showsMore = params.figures === "all";
  const { now, figures, series, newest } = useOverview(look, isOperator);
  const health = useHealth(now.data, isOperator);
  const asked = useAsked(isOperator, mayConfirm);
  const plot = <Shape of="plot" label={t.loadingPlot} />;
  return (
    <>
      <PageHeader title={t.title} />
      <Part of={now} waiting={<Shape of="health" label={t.loadingHealth} />}>
        {(data) => (
          <>
            <Opening now={data} parts={health} asked={asked} isOperator={isOperator} mayAct={mayAct} />
            <Health parts={health} />
            {data.setup && <Setup setup={data.setup} />}
          </>
        )}
      </Part>
      <RangeChoice look={look} isCompared={isCompared} hasBefore={figures.data && hasBefore(figures.data)} set={setParams} />
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
          onClick={() => setParams({ figures: showsMore ? null : "all" }, { history: "replace" })}
        >
          {showsMore ? t.fewer : t.more}
        </Button>
      </div>
      {showsMore && <MoreFigures of={{ now, figures, series }} isOperator={isOperator} />}
      {!isOperator && (
        <Section title={t.newest} aside={<LinkButton href="/console/settlements">{t.all}</LinkButton>}>
          <Part of={newest} waiting={<NewestWaiting />}>
            {(rows) => <Newest rows={rows} />}
          </Part>
        </Section>
      )}
    </>
  );
}
