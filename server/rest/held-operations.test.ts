import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addTerms, setRate, TEST_CHAIN } from "#testing/factories.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey, readAnswer, signedRequest, testSurfaceContext } from "#testing/surface.ts";
import { REGISTRY } from "./registry.ts";
import { handle } from "./surface.ts";
import type { SurfaceContext } from "./surface-context.ts";

/** Contract, part 10: a held settlement is `processing`, waits for `hold`, and an administrator releases or refuses it. */

let database: TestDatabase;
let stage: PartnerStage;
let surfaceContext: SurfaceContext;
let partner: IssuedApiKey;
let operator: IssuedApiKey;
const { surface, bindings } = REGISTRY.settlement;

beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  surfaceContext = testSurfaceContext(stage.ctx);
  partner = await issueKey(stage.ctx);
  operator = await issueKey(stage.ctx, { partnerId: null });
  await addTerms(database.db);
  await setRate(database.db, "0.0077");
  const nothing = {
    kind: "velocity",
    mode: "enforce",
    countedBy: "all",
    windowSeconds: 3_600,
    amountAtto: 0n,
    timesMaximum: null,
  } as const;
  const everybody = {
    partnerId: null,
    purpose: null,
    sourceCurrency: null,
    destinationCurrency: null,
    chain: null,
    waitSeconds: null,
    addresses: null,
  };
  await openLimits(stage.ctx, [{ ...nothing, ...everybody, id: "stop" }]);
});
afterAll(() => database.close());

const call = async (target: string, body: object) =>
  readAnswer(
    await handle(surface, surfaceContext, bindings, signedRequest(partner, { method: "POST", target, body: JSON.stringify(body) })),
  );
const read = async (id: string) =>
  (await readAnswer(await handle(surface, surfaceContext, bindings, signedRequest(partner, { target: `/api/v1/settlements/${id}` })))).body;

async function heldSettlement(): Promise<string> {
  const pair = {
    source_amount: 100_000,
    source_currency: "KES",
    destination_currency: "USDT",
    external_merchant_id: "m",
    chain: TEST_CHAIN.chain,
  };
  const wallet_address = "0x52908400098527886E0F7030069857D2E4169EE7";
  const made = await call("/api/v1/settlements", { ...pair, wallet_address, callback_url: "http://localhost:9/callback" });
  // Beyond the limit, it awaits an admin first.
  expect(made.body).toMatchObject({ approval_state: "pending" });
  await stage.call("POST", `/admins/settlements/${made.body.tx_id}/approve`, { apiKey: operator.apiKey, body: {} });
  const confirmed = await call(`/api/v1/settlements/${made.body.tx_id}/confirm`, { external_tx_id: randomUUID() });
  expect(confirmed.body).toMatchObject({ status: "processing", waiting_reason: "hold", waiting_since: expect.any(String) });
  return String(made.body.tx_id);
}
const decide = (id: string, what: "release" | "refuse", apiKey: string) =>
  stage.call("POST", `/admins/settlements/${id}/${what}`, { apiKey, body: { reason: "Looked into with them." } });

describe("a settlement that is held", () => {
  it("is released, and waits for nothing any more", async () => {
    const id = await heldSettlement();
    expect(await read(id)).toMatchObject({ status: "processing", waiting_reason: "hold" });
    expect(await decide(id, "release", operator.apiKey)).toMatchObject({
      status: 200,
      body: { tx_id: id, status: "processing", waiting_reason: null },
    });
    expect(await decide(id, "release", operator.apiKey)).toMatchObject({ status: 409, body: { code: "invalid_state" } });
  });

  it("is refused, failed with the reason, and its callback is owed", async () => {
    const id = await heldSettlement();
    expect(await decide(id, "refuse", operator.apiKey)).toMatchObject({
      status: 200,
      body: { status: "failed", failure_reason: "Looked into with them." },
    });
    expect(await database.sql`select event from callbacks where subject_id = ${id}`).toMatchObject([
      { event: "settlement.approved" },
      { event: "settlement.failed" },
    ]);
  });

  it("is the operator's alone, and only while it is held", async () => {
    const id = await heldSettlement();
    expect(await decide(id, "release", partner.apiKey)).toMatchObject({ status: 403 });
    expect(await decide("tx_nothing", "release", operator.apiKey)).toMatchObject({ status: 404, body: { code: "settlement_not_found" } });
  });
});
