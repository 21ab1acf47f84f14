/** Figures on the pages that are defined in parts of the service which pages do not import. A test compares each with the code. */
export const FACTS = {
  timestampToleranceSeconds: 300,
  idempotencyHours: 24,
  maxBodyKiB: 64,
  approvalWindowDays: 7,
  burst: 2,
} as const;

/** `90` → `90 seconds`, `300` → `5 minutes`, `43200` → `12 hours`. */
export function duration(seconds: number): string {
  const [value, unit] =
    seconds % 3_600 === 0 ? [seconds / 3_600, "hour"] : seconds % 60 === 0 ? [seconds / 60, "minute"] : [seconds, "second"];
  return `${value} ${unit}${value === 1 ? "" : "s"}`;
}
