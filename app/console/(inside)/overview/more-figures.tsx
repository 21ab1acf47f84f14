import { Shape } from "../../_components/lists/list-states.tsx";
import { useTranslations } from "../../_words/words.ts";
import { CallbackChart } from "./callback-chart.tsx";
import { FunnelChart } from "./funnel-chart.tsx";
import { Part } from "./part.tsx";
import { ApprovalAgeChart, DecisionChart, ExecutionChart } from "./timing-charts.tsx";
import { RateAges, RunwayChart } from "./treasury-charts.tsx";
import type { useOverview } from "./use-overview.ts";
import { OVERVIEW } from "./words.ts";

type Props = { of: Pick<ReturnType<typeof useOverview>, "now" | "figures" | "series">; isOperator: boolean };

/** The figures behind the two plots, which load when somebody asks for them. */
export function MoreFigures({ of: { now, figures, series }, isOperator }: Props) {
  const t = useTranslations(OVERVIEW);
  const plot = <Shape of="plot" label={t.loadingPlot} />;
  return (
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
  );
}
