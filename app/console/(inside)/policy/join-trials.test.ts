import { expect, it } from "vitest";
import type { Trial } from "./answers.ts";
import { joinTrials } from "./join-trials.ts";

const none = { count: 0, source: [], rows: [] };
const part = (values: Partial<Trial>): Trial => ({
  examined: 100,
  of: 250,
  next: null,
  is_sample: false,
  since: "2026-11-01T00:00:00.000Z",
  more_asked: 1,
  as_before: 2,
  would_wait: none,
  no_longer: none,
  ...values,
});
const found = (amount: string, rows: number): Trial["would_wait"] => ({
  count: rows,
  source: [
    { currency: "KES", amount },
    { currency: "UGX", amount: "7" },
  ],
  rows: Array.from({ length: rows }, () => ({}) as Trial["would_wait"]["rows"][number]),
});

it("adds the parts of a trial to the last digit, keeps the newest rows, and says since when", () => {
  const parts = [
    part({ would_wait: found("0.99", 40) }),
    part({ examined: 50, since: "2026-10-01T00:00:00.000Z", would_wait: found("9007199254740993.02", 40) }),
  ];
  const joined = joinTrials(parts);
  expect(joined).toMatchObject({ examined: 150, more_asked: 2, as_before: 4, since: "2026-10-01T00:00:00.000Z", no_longer: none });
  expect(joined?.would_wait).toMatchObject({
    count: 80,
    source: [
      { currency: "KES", amount: "9007199254740994.01" },
      { currency: "UGX", amount: "14" },
    ],
  });
  expect(joined?.would_wait.rows).toHaveLength(50);
  expect(joinTrials([])).toBeNull();
});
