import { expect, test } from "vitest";
import { z } from "zod";
import recorded from "#contract/openapi-examples.json" with { type: "json" };
import { OUTPUTS } from "./outputs.ts";
import { READS } from "./reads.ts";
import { WRITES } from "./writes.ts";

const { settlement: settlements, partner } = recorded;

test("a field that a later service adds is no fault of an answer, at any depth", () => {
  for (const { name, output } of [...READS, ...WRITES])
    expect(JSON.stringify(z.toJSONSchema(output)), name).not.toContain('"additionalProperties":false');
});

test("recorded answers of the service fit, with more fields too, and what is no such answer does not", () => {
  const settlement = settlements.answers.get_settlement["200"];
  const callback = settlements.answers.list_callbacks["200"].data[0];
  expect(OUTPUTS.settlement.safeParse({ ...settlement, added: 1 }).success).toBe(true);
  expect(OUTPUTS.settlement.safeParse({ ...settlement, tx_id: null }).success).toBe(false);
  expect(OUTPUTS.callbacks.safeParse({ callbacks: [{ ...callback, added: 1 }] }).success).toBe(true);
  expect(OUTPUTS.transactions.safeParse(partner.answers.get_all_transactions["200"]).success).toBe(true);
  expect(OUTPUTS.pairs.safeParse({ pairs: settlements.answers.list_pairs["200"].data }).success).toBe(true);
  expect(OUTPUTS.pools.safeParse({ pools: partner.answers.get_withdraw_fiat_pool_info["200"] }).success).toBe(true);
  expect(OUTPUTS.settlementOrProposal.safeParse({ proposal: { done: true } }).success).toBe(false);
});
