import { useZone } from "../../_components/controls/values.tsx";
import { useTranslations } from "../../_words/words.ts";
import { axisOf, namesOfPoint, spanStarts } from "./figures.ts";
import { SPANS } from "./plot-words.ts";

type Range = { period: { from: string; to: string }; span_seconds: number };
export type Span<Point> = { id: string; tick: string; name: string; start: Date; point: Point | undefined };

/** The spans of a range by name, each with its counts. `plotOf` gives a plot its texts. */
export function useSpans<Point extends { at: string }>({ period, span_seconds: seconds }: Range, points: readonly Point[], word: string) {
  const zone = useZone();
  const t = useTranslations(SPANS);
  const found = new Map(points.map((point) => [new Date(point.at).getTime(), point]));
  const spans: Span<Point>[] = spanStarts(period, seconds).map((start) => ({
    id: start.toISOString(),
    ...namesOfPoint(start, seconds, zone, t.format),
    start,
    point: found.get(start.getTime()),
  }));
  return {
    spans,
    nameOf: ({ at }: { at: string }) => namesOfPoint(new Date(at), seconds, zone, t.format).name,
    plotOf: (valuesOf: (span: Span<Point>) => Record<string, number | null>, weightOf?: (point: Point) => number) => ({
      points: spans.map((span) => ({
        id: span.id,
        tick: span.tick,
        values: valuesOf(span),
        ...(weightOf && span.point && { weight: weightOf(span.point) }),
      })),
      nameOf: ({ id }: { id: string }) => spans.find((span) => span.id === id)?.name ?? id,
      axis: `${word} ${axisOf(seconds, zone, t)}`,
    }),
  };
}
