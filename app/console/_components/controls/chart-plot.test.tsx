import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Columns, Lines } from "./chart-plot.tsx";
import type { PlotPoint } from "./plot.ts";
import { scaleFor } from "./plot-scale.ts";

const points = (...values: (number | null)[]): PlotPoint[] =>
  values.map((value, at) => ({ id: `${at}`, tick: `t${at}`, values: { value } }));
const series = [{ key: "value", label: "Paid", color: "var(--accent)" }];
const shown = { label: "Payments", series, format: String };

/** The attributes of each mark, as the server writes them. */
function marksOf(markup: string, tag: string): Record<string, string>[] {
  return [...markup.matchAll(new RegExp(`<${tag} data-series[^>]*>`, "g"))].map(([mark]) =>
    Object.fromEntries([...mark.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  );
}

describe("a plot as the server draws it", () => {
  it("has its text alternative, its axis from zero, and no style that the page's policy refuses", () => {
    const markup = renderToStaticMarkup(<Columns {...shown} points={points(1, 7)} axis="by hour, UTC" />);
    expect(markup).toContain('role="application" aria-label="Payments" tabindex="0"');
    for (const text of ["0", "2", "4", "6", "8", "t0", "t1", "by hour, UTC"]) expect(markup).toContain(`>${text}<`);
    expect(markup).not.toContain("style=");
  });

  it("draws sums as columns in proportion, and none for zero", () => {
    const columns = marksOf(renderToStaticMarkup(<Columns {...shown} points={points(4, 0, 8)} />), "rect");
    expect(columns.map(({ height }) => Number(height))).toEqual([93, 186]);
  });

  it("stacks series without a gap, and puts grouped ones next to each other", () => {
    const two = [...series, { key: "other", label: "Failed", color: "var(--muted)", mark: "striped" as const }];
    const both = [{ id: "a", tick: "a", values: { value: 3, other: 1 } }];
    const [paid, failed] = marksOf(renderToStaticMarkup(<Columns {...shown} series={two} points={both} />), "rect");
    expect(Number(failed?.y) + Number(failed?.height)).toBeCloseTo(Number(paid?.y));
    const [left, right] = marksOf(renderToStaticMarkup(<Columns {...shown} series={two} points={both} grouped />), "rect");
    expect(Number.parseFloat(String(left?.x)) + Number.parseFloat(String(left?.width))).toBeCloseTo(Number.parseFloat(String(right?.x)));
  });

  it("draws levels as steps, and leaves a gap where nothing was measured", () => {
    const [level] = marksOf(renderToStaticMarkup(<Lines {...shown} points={points(10, 10, null, 5)} step />), "path");
    expect(level?.d).toBe("M0,8L250,8L250,8L500,8M750,101L1000,101");
  });

  it("sizes the points of rates by their count: four times as many, an area four times as large beyond the least", () => {
    const rates = points(50, 100).map((point, at) => ({ ...point, weight: at === 0 ? 1 : 4 }));
    const dots = marksOf(renderToStaticMarkup(<Lines {...shown} points={rates} most={100} />), "circle");
    expect(dots.map(({ r }) => Number(r))).toEqual([4, 6]);
  });

  it("has no tick between whole numbers for counts, and finer ones for fractions", () => {
    expect(scaleFor([0, 1]).ticks).toEqual([0, 1]);
    expect(scaleFor([0.35]).ticks).toEqual([0, 0.1, 0.2, 0.3, 0.4]);
    expect(scaleFor([12_400]).ticks).toEqual([0, 5_000, 10_000, 15_000]);
    expect(scaleFor([]).ticks).toEqual([0, 1]);
  });
});
