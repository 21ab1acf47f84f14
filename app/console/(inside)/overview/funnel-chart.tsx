import { Bar, Chart, ended } from "../../_components/controls/chart.tsx";
import { Link } from "../../_components/controls/link.tsx";
import { VIEW_WORDS } from "../../_components/controls/words.ts";
import { useTranslations } from "../../_words/words.ts";
import { listOf } from "./outcome-charts.tsx";
import { OUTCOMES } from "./plot-words.ts";
import type { Figures } from "./use-overview.ts";

const STAGES = ["created", "confirmed", "executed"] as const;
const LOSSES: readonly { key: "lapsed" | "cancelled" | "rejected" | "failed"; after: "lossBefore" | "lossAfter" }[] = [
  { key: "lapsed", after: "lossBefore" },
  { key: "cancelled", after: "lossBefore" },
  { key: "rejected", after: "lossBefore" },
  { key: "failed", after: "lossAfter" },
];

/** ③ The progress of the range's settlements, and where the others were lost. */
export function FunnelChart({ figures: { funnel, period } }: { figures: Figures }) {
  const [t, words] = [useTranslations(OUTCOMES), useTranslations(VIEW_WORDS)];
  const wordOf = { created: t.created, confirmed: t.funnel.confirmed, executed: t.funnel.executed };
  const part = (value: number) => (funnel.created === 0 ? 0 : value / funnel.created);
  const losses = LOSSES.filter(({ key }) => funnel[key] > 0);
  const linked = (key: (typeof LOSSES)[number]["key"]) => (
    <Link href={listOf(key, period.from, period.to)}>{t.format.count(funnel[key])}</Link>
  );
  return (
    <Chart
      title={t.funnel.title}
      summary={
        funnel.created === 0
          ? t.none
          : t.funnel.summary(
              t.format.percent(part(funnel.confirmed)),
              t.format.count(funnel.created),
              t.format.percent(part(funnel.executed)),
            )
      }
      table={{
        columns: [{ header: t.funnel.stage }, ...ended(t.funnel.settlements, t.funnel.share)],
        rows: [
          ...STAGES.map((key) => ({ key, cells: [wordOf[key], t.format.count(funnel[key]), t.format.percent(part(funnel[key]))] })),
          ...LOSSES.map(({ key, after }) => ({
            key,
            cells: [`${words[key]} (${t.funnel[after]})`, linked(key), t.format.percent(part(funnel[key]))],
          })),
        ],
      }}
      isEmpty={funnel.created === 0}
    >
      <ul className="bars">
        {STAGES.map((key) => (
          <li key={key}>
            <p className="bar-line">
              <span>{wordOf[key]}</span>
              <span>
                {t.format.count(funnel[key])} <span className="bar-note">{t.format.percent(part(funnel[key]))}</span>
              </span>
            </p>
            <Bar share={part(funnel[key])} />
          </li>
        ))}
        {losses.map(({ key, after }) => (
          <li key={key}>
            <p className="bar-line">
              <span>
                {words[key]} <span className="bar-note">{t.funnel[after]}</span>
              </span>
              <span>
                {linked(key)} <span className="bar-note">{t.format.percent(part(funnel[key]))}</span>
              </span>
            </p>
            <Bar share={part(funnel[key])} tone={key} />
          </li>
        ))}
      </ul>
    </Chart>
  );
}
