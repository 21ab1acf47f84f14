/** What a plot shows. */

export type Series = {
  key: string;
  label: string;
  /** A design token, `var(--…)`. */
  color: string;
  /** How the series differs from others besides its colour. */
  mark?: "solid" | "striped" | "dotted" | "outlined" | "line" | "dashed";
};

export type PlotProps = {
  /** For screen readers. */
  label: string;
  series: readonly Series[];
  points: readonly PlotPoint[];
  /** The formatted value. */
  format: (value: number) => string;
  /** A short form for the axis; default: `format`. */
  tick?: (value: number) => string;
  /** The label of a point in the tooltip. Its `tick` is the label at the axis. */
  nameOf?: (point: PlotPoint) => string;
  /** Below the axis: its unit, above all the time zone. */
  axis?: string;
  /** The effect of a click on a series' segment of a point. */
  onPick?: ((point: PlotPoint, key: string) => void) | undefined;
  /** Fills between two lines. */
  band?: { from: string; to: string; color: string };
  /** A horizontal line, such as a threshold. */
  reference?: { at: number; label: string };
  /** The upper end of the axis; default: from the values. */
  most?: number;
  /** A few points whose labels all fit. */
  everyTick?: boolean;
};
/** `values` by the keys of the series; null: not measured. `weight`: the sample size, which sets the size of its dots. */
export type PlotPoint = { id: string; tick: string; values: Readonly<Record<string, number | null>>; weight?: number };
