import type { ShownDay } from "#contract/service-status.ts";
import { dayText, worstOf } from "./words.ts";

const WIDTH = 10;
const GAP = 3;
const HEIGHT = 32;

/** A bar for each day, oldest first. */
export function Strip({ days, label }: { days: readonly ShownDay[]; label: string }) {
  return (
    <svg
      className="status-strip"
      viewBox={`0 0 ${days.length * WIDTH - GAP} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${summaryOf(days)}`}
    >
      {days.map((day, place) => (
        <rect key={day.day} x={place * WIDTH} width={WIDTH - GAP} {...HEIGHTS[worstOf(day)]} data-day={worstOf(day)}>
          <title>{dayText(day)}</title>
        </rect>
      ))}
    </svg>
  );
}

const bar = (height: number) => ({ y: HEIGHT - height, height });

/** States differ in height as well as in colour: the worse a day, the higher its bar. */
const HEIGHTS = { operational: bar(HEIGHT / 2), degraded: bar((HEIGHT * 3) / 4), down: bar(HEIGHT), unknown: bar(4) };

function summaryOf(days: readonly ShownDay[]): string {
  const counts = Map.groupBy(days, worstOf);
  const count = (state: keyof typeof HEIGHTS) => counts.get(state)?.length ?? 0;
  const parts = [`${count("operational")} without a disruption`, `${count("degraded")} degraded`, `${count("down")} with an outage`];
  return `of ${days.length} days ${parts.join(", ")}, ${count("unknown")} without data`;
}
