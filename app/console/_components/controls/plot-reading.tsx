import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { SHARED } from "../../_words/shared.ts";
import { useTranslations } from "../../_words/words.ts";
import type { PlotProps } from "./plot.ts";
import { FOOT, percentOf } from "./plot-scale.ts";

type ReadingProps = { area: RefObject<SVGSVGElement | null>; plot: PlotProps };

const GAP = 12;
const STEPS: Readonly<Record<string, (now: number, last: number) => number>> = {
  ArrowLeft: (now) => now - 1,
  ArrowRight: (now) => now + 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** Reads a plot's points: the one under the pointer, or by arrow keys from the newest. Escape ends it. */
export function Reading({ area, plot: { points, series, format, nameOf } }: ReadingProps) {
  const t = useTranslations(SHARED);
  const [index, setIndex] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const last = points.length - 1;
  useEffect(() => {
    const plot = area.current;
    if (plot === null) return;
    const over = new AbortController();
    const on = <Kind extends keyof SVGElementEventMap>(kind: Kind, act: (event: SVGElementEventMap[Kind]) => void) =>
      plot.addEventListener(kind, act, { signal: over.signal });
    const at = ({ clientX }: PointerEvent) => {
      const { left, width } = plot.getBoundingClientRect();
      setIndex(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * (last + 1)))));
    };
    on("pointermove", at);
    on("pointerdown", at);
    on("pointerleave", () => setIndex(null));
    on("focus", () => plot.matches(":focus-visible") && setIndex(last));
    on("blur", () => setIndex(null));
    on("keydown", (event) => {
      if (event.key === "Escape") setIndex(null);
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      setIndex((now) => Math.max(0, Math.min(last, step(now ?? last, last))));
    });
    if (plot.matches(":focus-visible")) setIndex(last);
    return () => over.abort();
  }, [area, last]);
  useLayoutEffect(() => {
    if (box.current && area.current && index !== null) place(box.current, area.current, (index + 0.5) / (last + 1));
  }, [area, index, last]);
  const point = index === null ? undefined : points[index];
  const shown = series.filter(({ key }) => point?.values[key]);
  return (
    <div aria-live="polite">
      {point && (
        <div ref={box} className="tooltip plot-tooltip" role="tooltip">
          <p className="plot-tooltip-name">{nameOf?.(point) ?? point.tick}</p>
          {shown.length === 0 && <p>{t.none}</p>}
          {shown.map(({ key, label }) => (
            <p key={key} className="plot-tooltip-line">
              <span>{label}</span>
              <span>{format(point.values[key] ?? 0)}</span>
            </p>
          ))}
        </div>
      )}
      {point && area.current && createPortal(<Cursor index={index ?? 0} count={points.length} />, area.current)}
    </div>
  );
}

function Cursor({ index, count }: { index: number; count: number }) {
  return <rect className="plot-cursor" x={percentOf(index, count, 0)} width={`${100 / count}%`} y="0" height={FOOT} aria-hidden />;
}

/** Right of the point, or left of it where there is no space. */
function place(box: HTMLElement, area: SVGSVGElement, share: number): void {
  const [plot, body] = [area.getBoundingClientRect(), box.offsetParent?.getBoundingClientRect()];
  if (body === undefined) return;
  const x = plot.left - body.left + share * plot.width;
  const left = x + GAP + box.offsetWidth <= body.width ? x + GAP : x - GAP - box.offsetWidth;
  box.style.left = `${Math.max(0, left)}px`;
}
