import { expect, test } from "@playwright/test";
import { jwksOperation } from "#contract/jwks.ts";
import { proofStatusOperation, proveSettlementOperation } from "#contract/settlement/v1/proof.ts";
import { verifyProof } from "#domain/verify-proof.ts";
import { exchange } from "#sandbox/client/exchange.ts";
import { expectRefusal, read } from "../support/answers.ts";
import { partner, rival } from "../support/client.ts";
import { BASE_URL } from "../support/running-sandbox.ts";
import { confirm, ended, quote } from "../support/settlements.ts";

/** What a third party checks a settlement by, with nothing but the public keys. */

const ask = (proof: string | null) =>
  exchange(BASE_URL, {
    method: "POST",
    target: proofStatusOperation.path,
    headers: [["Content-Type", "application/json"]],
    body: JSON.stringify({ proof }),
  });
const statusOf = async (proof: string | null) => read(proofStatusOperation, await ask(proof));
const proofOf = async (txId: string) => read(proveSettlementOperation, await partner.get(`/api/v1/settlements/${txId}/proof`));

test("a quote, and then a receipt, hold against the keys that everybody can read", async () => {
  const keys = read(jwksOperation, await exchange(BASE_URL, { method: "GET", target: jwksOperation.path, headers: [] }));
  const { tx_id, wallet_address } = await quote();
  const promised = await proofOf(tx_id);
  expect(promised).toMatchObject({ receipt: null, jwks_url: `${BASE_URL}/.well-known/jwks.json` });
  expect(await verifyProof(promised.quote, keys)).toMatchObject({ valid: true, type: "quote", claims: { sub: tx_id, wallet_address } });
  await confirm(tx_id);
  const { tx_hash } = await ended(tx_id);
  const paid = await proofOf(tx_id);
  expect(await verifyProof(paid.quote, keys)).toMatchObject({ valid: true, claims: { sub: tx_id, status: "executed" } });
  expect(await statusOf(promised.quote)).toMatchObject({ type: "quote", tx_id, status: "fulfilled", holds: true });
  expect(await statusOf(paid.receipt)).toMatchObject({ type: "receipt", tx_id, status: "paid", holds: true });
  expect(await verifyProof(paid.receipt ?? "", keys)).toMatchObject({ valid: true, type: "receipt", claims: { sub: tx_id, tx_hash } });
});

test("anyone who has a proof learns whether it is valid, and nothing else; other text is refused", async () => {
  const { tx_id } = await quote();
  const { quote: proof } = await proofOf(tx_id);
  expect(Object.keys(await statusOf(proof)).toSorted()).toEqual(["checked_at", "holds", "status", "tx_id", "type"]);
  expectRefusal(await ask(`${proof.slice(0, -6)}AAAAAA`), 422, "validation_failed");
  expectRefusal(await ask("hello"), 422, "validation_failed");
  await partner.post("/api/v1/settlements/cancel", { tx_id });
  expect(await statusOf(proof)).toMatchObject({ type: "quote", status: "cancelled", holds: false });
});

test("another partner is given no proof of it", async () => {
  const { tx_id } = await quote();
  expectRefusal(await rival.get(`/api/v1/settlements/${tx_id}/proof`), 404, "settlement_not_found");
});
