import { expect, it } from "vitest";
import { subjectPage } from "./signs.ts";

it.each([
  ["tx_1", "/console/settlements/tx_1"],
  ["ba_1", "/console/batches/ba_1"],
  ["wd_1", "/console/fiat/withdrawals/wd_1"],
  ["tu_1", "/console/fiat/topups/tu_1"],
])("the callback about %s leads to its page", (subject, page) => {
  expect(subjectPage(subject)).toBe(page);
});
