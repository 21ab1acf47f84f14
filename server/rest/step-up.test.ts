import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopeFor } from "#contract/operation.ts";
import { keyHash, newKeyPair } from "#domain/api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { addOperatorKey, addPerson, PASSWORD } from "#testing/people.ts";
import { issueKey } from "#testing/surface.ts";
import { operationsOf } from "./registry.ts";

/**
 * A user's token is valid for fifteen minutes, but its proof only for five: then the service asks for another log-in (contract, part 10).
 */

const CHAIN = "eip155:31337";

/** The input that each needs to reach its service, written manually. */
const BODIES: Record<string, unknown> = {
  approve_settlement: {},
  reject_settlement: { reason: "not this one" },
  approve_batch: {},
  reject_batch: { reason: "not this one" },
  release_settlement: { reason: "looked into" },
  refuse_settlement: { reason: "not this one" },
  create_api_key: { partner_id: null },
  delete_api_key: undefined,
  rotate_api_key: { overlap_seconds: 0 },
  rotate_callback_secret: { overlap_seconds: 0 },
  create_partner: { name: "New", slug: "new", roles: ["AGGREGATOR"] },
  create_partner_payment: { amount: 1, currency: "KES", received_at: "2026-01-01T00:00:00Z", reference: "FT-1" },
  update_charge_fee: { charge_fee_percentage: 1 },
  update_partner_status: { status: "active" },
  create_admin: { username: "new@example.com", password: "vellum-otter-92-quay-5", name: "New", role: "viewer" },
  create_safe: { chain: CHAIN, owners: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"], threshold: 1 },
  create_master_contract_1_3_0: { chain: CHAIN },
  create_master_contract_1_4_1: { chain: CHAIN },
  create_compatibility_fallback_handler: { chain: CHAIN, version: "1.4.1" },
};
const OPERATIONS = operationsOf("partner").filter(({ caller, kind }) => kind === "write" && (caller === "operator" || caller === "both"));

let database: TestDatabase;
let stage: PartnerStage;
let apiKey: string;
let [young, old] = ["", ""];
beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  apiKey = (await issueKey(stage.ctx, { partnerId: null })).apiKey;
  const { email } = await addPerson(database.db, "admin");
  const logIn = async (): Promise<string> =>
    (await stage.call("POST", "/login", { form: { username: email, password: PASSWORD } })).body.access_token;
  old = await logIn();
  await database.sql`update access_tokens set created_at = now() - interval '5 minutes'`;
  young = await logIn();
});
afterAll(() => database.close());

it("is documented for every operation that may ask for it, and for no other", () => {
  const asking = OPERATIONS.filter(({ refusals }) => refusals.includes("step_up_required")).map(({ id }) => id);
  expect(asking.toSorted()).toEqual(Object.keys(BODIES).toSorted());
  expect(OPERATIONS.filter(({ id }) => !(id in BODIES)).map(({ id }) => id)).toEqual(["logout"]);
});

describe.each(OPERATIONS.filter(({ id }) => id in BODIES).map((operation) => [operation.id, operation] as const))("%s", (id, operation) => {
  const call = (credential: { token: string } | { apiKey: string }) => {
    const path = operation.path.replace("{tx_id}", "tx_00000000000000000000000000").replace(/\{\w+\}/g, randomUUID());
    return stage.call(operation.method, path, { body: BODIES[id], ...credential });
  };

  it("refuses a token of five minutes ago, and takes one of now, and a key, which is its own proof", async () => {
    const answer = await call({ token: old });
    expect([answer.status, answer.body.code]).toEqual([403, "step_up_required"]);
    for (const credential of [{ token: young }, { apiKey }]) {
      const { status } = await call(credential);
      expect([id, [200, 201, 204, 404, 409, 422].includes(status), status]).toEqual([id, true, status]);
    }
  });
});

it("no longer helps a key whose person was disabled: it decides nothing, and reads as before", async () => {
  const { apiKey: robot } = newKeyPair("test");
  const { id } = await addPerson(database.db, "approver");
  await addOperatorKey(database.db, id, { keyHash: keyHash(robot), scopes: ["settlements:decide", "read"] });
  const deciding = OPERATIONS.filter((operation) => scopeFor("operator", operation) === "settlements:decide");
  expect(deciding.length).toBeGreaterThanOrEqual(4);
  const answers = async () => {
    const found: [string, number, unknown][] = [];
    for (const { id: name, method, path } of deciding) {
      const target = path.replace("{tx_id}", "tx_00000000000000000000000000").replace(/\{\w+\}/g, randomUUID());
      const { status, body } = await stage.call(method, target, { body: BODIES[name], apiKey: robot });
      found.push([name, status, body.code]);
    }
    return found;
  };
  const isRefused = ([, status, code]: [string, number, unknown]) => status === 403 && code === "forbidden";
  expect((await answers()).filter(isRefused)).toEqual([]);
  await database.sql`update users set disabled_at = now() where id = ${id}`;
  expect((await answers()).filter((answer) => !isRefused(answer))).toEqual([]);
  expect((await stage.call("GET", "/partners", { apiKey: robot })).status).toBe(200);
  await database.sql`update users set disabled_at = null where id = ${id}`;
  expect((await answers()).filter(isRefused)).toEqual([]);
});
