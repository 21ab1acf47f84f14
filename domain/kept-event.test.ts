import { describe, expect, it } from "vitest";
import { dataOf, keepData, PLACES } from "./kept-event.ts";

const quoted = Object.fromEntries(PLACES.map((name) => [name, null]));
const shown = { ...quoted, tx_id: "tx_1", status: "quoted", source_amount: 100_000, metadata: { run: "7" }, undelivered_callbacks: [] };
const stored = (data: unknown) => JSON.parse(JSON.stringify(keepData("settlement", data)));

describe("the data of a settlement's event", () => {
  it.each([
    ["as created", shown],
    ["as executed", { ...shown, status: "executed", tx_hash: "0x1", executed_at: "2026-11-30T00:00:00.000Z" }],
    ["with a field of a later release", { ...shown, later: { a: [1] } }],
  ])("is shown as it was, %s, and kept without the names", (_, data) => {
    expect(dataOf(stored(data))).toEqual(data);
    expect(JSON.stringify(stored(data))).not.toContain("source_amount");
  });

  it("is kept with its names where one of the fields is missing, or of another object", () => {
    const { status: _, ...less } = shown;
    expect(stored(less)).toEqual(less);
    expect(keepData("batch", shown)).toEqual(shown);
    expect(dataOf(less)).toEqual(less);
  });

  it("has the places that rows of every release have", () => {
    expect(PLACES.join(" ")).toBe(
      "tx_id batch_id external_tx_id status approval_state source_amount source_currency destination_currency external_merchant_id chain " +
        "wallet_address destination_amount platform_fee exchange_rate rate_unit expires_at callback_url metadata updated_at created_at " +
        "confirmed_at cancelled_at approval_decided_at rejection_reason waiting_reason waiting_since undelivered_callbacks",
    );
  });
});
