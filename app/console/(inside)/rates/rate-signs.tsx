import { useEffect, useState } from "react";
import { Bar } from "../../_components/controls/chart.tsx";
import { useTranslations } from "../../_words/words.ts";
import type { Pair } from "./pair-words.ts";
import { changeText, courseOf } from "./rate-course.ts";
import { RATE_SIGNS } from "./words.ts";

/** A rate's age, compared with the age at which it becomes stale. Real time, by the server's answer and not by the browser's clock. */
export function RateAge({ rate, now, readAt }: { rate: Pair["rate"]; now: string; readAt: number }) {
  const t = useTranslations(RATE_SIGNS);
  const passed = useSince(readAt);
  if (rate === null) return <span className="none">–</span>;
  if (rate.as_of === null || rate.stale_at === null) return <span className="muted">{t.fixed}</span>;
  const asOf = new Date(rate.as_of).getTime();
  const age = Math.max(0, new Date(now).getTime() + passed - asOf);
  const share = age / (new Date(rate.stale_at).getTime() - asOf);
  return (
    <span className="rate-age">
      <span>{t.format.span(age)}</span>
      <Bar share={share} tone={share >= 1 ? "failed" : share > 0.7 ? "pending" : "executed"} />
      <span className="sr-only">{share >= 1 ? t.tooOld : t.fresh}</span>
    </span>
  );
}

function useSince(at: number): number {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const look = () => setPassed(Date.now() - at);
    look();
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [at]);
  return passed;
}

const ROOM = { width: 64, height: 16 };

/** The mid rates that quotes of the last 24 hours were made from, on the scale of all pairs; with the change in figures. */
export function Sparkline({ priced, scale, name }: { priced: Pair["priced"]; scale: number; name: string }) {
  const t = useTranslations(RATE_SIGNS);
  if (priced.length === 0) return <span className="none">–</span>;
  const values = priced.map(({ mid_rate }) => Number(mid_rate));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const range = least === most ? t.constant(least) : t.fromTo(least, most);
  return (
    <span className="rate-course">
      <svg className="sparkline" role="img" aria-label={t.sparkline(name, range)} width={ROOM.width} height={ROOM.height}>
        <polyline points={courseOf(priced, scale, ROOM)} />
      </svg>
      <span className="muted">{changeText(priced)}</span>
    </span>
  );
}
