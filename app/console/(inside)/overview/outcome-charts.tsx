import { useRouter } from "next/navigation";
import type { SettlementView } from "#domain/settlement-view.ts";
import { Chart, ended, Key } from "../../_components/controls/chart.tsx";
import { Columns } from "../../_components/controls/chart-plot.tsx";
import { Link } from "../../_components/controls/link.tsx";
import type { Series } from "../../_components/controls/plot.ts";
import { VIEW_WORDS } from "../../_components/controls/words.ts";
import { useTranslations } from "../../_words/words.ts";
import { OUTCOMES } from "./plot-words.ts";
import type { Figures } from "./use-overview.ts";
import { type Span, useSpans } from "./use-spans.ts";

type Kind = "executed" | "processing" | "quoted" | "awaiting" | "lapsed" | "cancelled" | "rejected" | "failed";

const KINDS: readonly { key: Kind; view: SettlementView; token: string; mark: NonNullable<Series["mark"]> }[] = [
  { key: "executed", view: "executed", token: "executed", mark: "solid" },
  { key: "processing", view: "processing", token: "processing", mark: "dotted" },
  { key: "quoted", view: "quoted", token: "quoted", mark: "outlined" },
  { key: "awaiting", view: "awaiting_approval", token: "pending", mark: "striped" },
  { key: "lapsed", view: "lapsed", token: "lapsed", mark: "outlined" },
  { key: "cancelled", view: "cancelled", token: "cancelled", mark: "dotted" },
  { key: "rejected", view: "rejected", token: "rejected", mark: "striped" },
  { key: "failed", view: "failed", token: "failed", mark: "solid" },
];

/** The link of a column's segment: its settlements. */
export function listOf(view: SettlementView, from: string, to: string): string {
  return `/console/settlements?${new URLSearchParams({ view, from, to })}`;
}

/** ① Settlements by outcome, at the time of their creation. */
export function OutcomeChart({ figures }: { figures: Figures }) {
  const router = useRouter();
  const [t, words] = [useTranslations(OUTCOMES), useTranslations(VIEW_WORDS)];
  const { outcomes, period, span_seconds: spanSeconds } = figures;
  const { spans, plotOf } = useSpans(figures, outcomes, t.created);
  const kinds = KINDS.filter(({ key }) => outcomes.some((point) => point[key] > 0));
  const series = kinds.map(({ key, view, token, mark }) => ({
    key,
    label: words[view],
    color: token === "executed" ? "var(--accent)" : `var(--state-${token}-text)`,
    mark,
  }));
  const linkOf = (view: SettlementView, { start }: Span<unknown>) => {
    const end = new Date(start.getTime() + spanSeconds * 1_000).toISOString();
    return listOf(view, later(start.toISOString(), period.from), earlier(end, period.to));
  };
  const { created } = figures.funnel;
  return (
    <Chart
      title={t.title}
      summary={created === 0 ? t.none : t.summary(t.format.count(created), t.format.count(figures.funnel.executed))}
      aside={series.length > 0 && <Key series={series} />}
      table={{
        columns: [{ header: t.when }, ...ended(...series.map(({ label }) => label))],
        rows: spans
          .filter(({ point }) => kinds.some(({ key }) => (point?.[key] ?? 0) > 0))
          .map((span) => ({
            key: span.id,
            cells: [
              span.name,
              ...kinds.map(({ key, view }) =>
                span.point?.[key] ? (
                  <Link key={key} href={linkOf(view, span)}>
                    {t.format.count(span.point[key])}
                  </Link>
                ) : (
                  "0"
                ),
              ),
            ],
          })),
      }}
      isEmpty={created === 0}
    >
      <Columns
        label={t.title}
        series={series}
        {...plotOf(({ point }) => Object.fromEntries(kinds.map(({ key }) => [key, point?.[key] ?? 0])))}
        format={t.format.count}
        onPick={({ id }, key) => {
          const span = spans.find((each) => each.id === id);
          const kind = kinds.find((each) => each.key === key);
          if (span && kind) router.push(linkOf(kind.view, span));
        }}
      />
    </Chart>
  );
}

function later(left: string, right: string): string {
  return left > right ? left : right;
}
function earlier(left: string, right: string): string {
  return left < right ? left : right;
}
