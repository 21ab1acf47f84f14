import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { referenceOf } from "./payment-reference.ts";

const own = "tx_01m8meg7zwnjck3cpa3ccrnc1a";
const [long, short] = [600, 32].map((memoBytes) => ({ memo: "reference" as const, memoBytes }));

test("a memo with room has the partner's reference and our id, which is always the text after the last space", () => {
  expect(referenceOf(long as never, { own, partners: "invoice 7/2026" })).toBe(`invoice 7/2026 ${own}`);
});

test("a memo of 32 bytes has the reference alone, by its bytes and not its characters, and else the beginning of its SHA-256", () => {
  const [fits, beyond] = ["é".repeat(16), `${"é".repeat(16)}x`];
  expect(referenceOf(short as never, { own, partners: fits })).toBe(fits);
  const digits = referenceOf(short as never, { own, partners: beyond });
  expect(digits).toBe(createHash("sha256").update(beyond).digest("hex").slice(0, 32));
  expect(Buffer.byteLength(digits)).toBe(32);
});

test("a payment without a partner's reference, and a chain whose memos keep it to themselves, have our id", () => {
  expect(referenceOf(long as never, { own, partners: null })).toBe(own);
  expect(referenceOf({ memo: "id", memoBytes: 600 }, { own, partners: "invoice 7" })).toBe(own);
});
