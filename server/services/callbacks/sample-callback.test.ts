import { describe, expect, it } from "vitest";
import { topupRequestResponseSchema, withdrawRequestResponseSchema } from "#contract/partner/fiat.ts";
import { CALLBACK_EVENTS } from "#domain/callback.ts";
import { TEST_CHAIN } from "#testing/factories.ts";
import { sampleCallback } from "./sample-callback.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const URL = "https://partner.example/callbacks";
const bodyOf = (event: (typeof CALLBACK_EVENTS)[number], chain: typeof TEST_CHAIN | undefined = TEST_CHAIN) =>
  JSON.parse(sampleCallback({ event, url: URL, chain, now: NOW }).body);

describe("the body of a sample", () => {
  it("has exactly the fields of a real callback about a settlement", () => {
    const amounts = ["chain", "destination_amount", "platform_fee"];
    const ids = ["tx_id", "external_tx_id", "status"];
    expect(Object.keys(bodyOf("settlement.approved")).sort()).toEqual([...ids, ...amounts, "event", "expires_at", "source_amount"].sort());
    expect(Object.keys(bodyOf("settlement.executed")).sort()).toEqual([...ids, ...amounts, "executed_at", "tx_hash"].sort());
    expect(Object.keys(bodyOf("settlement.failed")).sort()).toEqual([...ids, ...amounts, "failure_reason"].sort());
    expect(bodyOf("settlement.executed")).toMatchObject({ status: "executed", chain: TEST_CHAIN.chain, executed_at: NOW.toISOString() });
  });

  it("is what a GET of a withdrawal or top-up answers, and the event", () => {
    for (const status of ["completed", "failed"] as const) {
      const { event: ofWithdrawal, ...withdrawal } = bodyOf(`withdrawal.${status}`);
      const { event: ofTopup, ...topup } = bodyOf(`topup.${status}`);
      expect([ofWithdrawal, ofTopup]).toEqual([`withdrawal.${status}`, `topup.${status}`]);
      expect(withdrawRequestResponseSchema.strict().parse(withdrawal)).toMatchObject({ status, callback_url: URL });
      expect(topupRequestResponseSchema.strict().parse(topup)).toMatchObject({ status, callback_url: URL });
    }
  });

  it("can be made of every kind that the service sends, also where there is no chain at all", () => {
    for (const event of CALLBACK_EVENTS) {
      const { subjectId, body } = sampleCallback({ event, url: URL, chain: undefined, now: NOW });
      expect(body).toContain(subjectId);
      expect(subjectId).toMatch(/^(tx|ba|wd|tu)_0{10}/);
    }
  });
});
