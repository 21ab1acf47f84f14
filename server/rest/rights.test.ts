import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Operation, wantedScopes } from "#contract/operation.ts";
import { users } from "#db/schema/people.ts";
import { type OperatorRole, scopesOf } from "#domain/access.ts";
import { hashPassword } from "#server/adapters/passwords.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { setPartnerStatus } from "#server/services/partners/change-partner.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { openPartnerStage, type PartnerCall, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey } from "#testing/surface.ts";
import { operationsOf } from "./registry.ts";

/** Every operation of the surface × everybody who might call it. */

const OPERATIONS = operationsOf("partner");
const withCredential = OPERATIONS.filter(({ caller }) => caller !== "anybody" && caller !== "provider");
const of = (...callers: Operation["caller"][]) => withCredential.filter(({ caller }) => callers.includes(caller));
const named = (operations: readonly Operation[]) => operations.map((operation) => [operation.id, operation] as const);

let database: TestDatabase;
let stage: PartnerStage;
let operator: IssuedApiKey;
let own: IssuedApiKey;
const tokens = new Map<OperatorRole, string>();
beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  operator = await issueKey(stage.ctx, { partnerId: null });
  own = await issueKey(stage.ctx);
  const passwordHash = await hashPassword("vellum-otter-92-quay");
  for (const role of ["admin", "approver", "viewer"] as const) {
    const email = `${role}@example.com`;
    await database.db.insert(users).values({ id: randomUUID(), email, name: role, passwordHash, role, createdAt: new Date() });
    const { body } = await stage.call("POST", "/login", { form: { username: email, password: "vellum-otter-92-quay" } });
    tokens.set(role, body.access_token);
  }
});
afterAll(() => database.close());

/** With unknown ids and an empty body: a permitted caller gets a 2xx, 404 or 422, never more. */
function knock({ method, path }: Operation, call: PartnerCall) {
  return stage.call(method, path.replace(/\{\w+\}/g, randomUUID()), {
    body: method === "GET" || method === "DELETE" ? undefined : {},
    ...call,
  });
}
const token = (role: OperatorRole) => ({ token: tokens.get(role) ?? "" });
const LET_IN = [200, 201, 204, 404, 409, 422];

describe.each(named(withCredential))("%s", (_id, operation) => {
  it("refuses a caller without a credential, or with an unknown one", async () => {
    for (const [call, code] of [
      [{}, "missing_api_key"],
      [{ apiKey: `key_test_${"x".repeat(32)}` }, "unknown_api_key"],
      [{ token: `tok_${"x".repeat(43)}` }, "invalid_token"],
    ] as const) {
      const answer = await knock(operation, call);
      expect([answer.status, answer.body.code]).toEqual([401, code]);
    }
  });

  it("wants its scope of a key, and lets in the right one", async () => {
    const isOperators = operation.caller === "operator" || operation.caller === "both";
    for (const { side, scope } of wantedScopes(operation)) {
      const holder = side === "operator" ? null : own.partnerId;
      const { apiKey } = await issueKey(stage.ctx, { partnerId: holder, scopes: scopesOf(holder).filter((each) => each !== scope) });
      const answer = await knock(operation, { apiKey });
      expect([answer.status, answer.body.code, answer.body.required_scope]).toEqual([403, "scope_missing", scope]);
      const only = await issueKey(stage.ctx, { partnerId: holder, scopes: [scope] });
      expect(LET_IN).toContain((await knock(operation, { apiKey: only.apiKey })).status);
    }
    const right = await knock(operation, { apiKey: (isOperators ? operator : own).apiKey });
    // An API key has no token to revoke.
    if (operation.id !== "logout") expect(LET_IN).toContain(right.status);
  });
});

/** The scope of an operator's key for each operation, written manually, so that an action with the wrong one is found. */
const OPERATOR_SCOPE: Record<string, string | null> = {
  approve_settlement: "settlements:decide",
  reject_settlement: "settlements:decide",
  approve_batch: "settlements:decide",
  reject_batch: "settlements:decide",
  create_safe: "treasury",
  create_master_contract_1_3_0: "treasury",
  create_master_contract_1_4_1: "treasury",
  create_compatibility_fallback_handler: "treasury",
  logout: null,
};

it("wants of an operator's key the scope of the action: reading, deciding, the treasury, and for all that changes else the administration", () => {
  for (const operation of of("operator", "both")) {
    const expected = OPERATOR_SCOPE[operation.id];
    const asked = wantedScopes(operation).find(({ side }) => side === "operator")?.scope ?? null;
    expect([operation.id, asked]).toEqual([
      operation.id,
      expected === undefined ? (operation.method === "GET" ? "read" : "partners:admin") : expected,
    ]);
  }
});

describe.each(named(of("operator")))("%s, the operator's,", (_id, operation) => {
  it("is not a partner's", async () => {
    const answer = await knock(operation, { apiKey: own.apiKey });
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
  });
});

describe.each(named(of("partner")))("%s, a partner's,", (_id, operation) => {
  it("is not the operator's, who has no partner to act for", async () => {
    for (const call of [{ apiKey: operator.apiKey }, token("admin")]) {
      const answer = await knock(operation, call);
      expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    }
  });
});

describe.each(named(of("partner", "both")))("%s", (_id, operation) => {
  it("is not a suspended partner's", async () => {
    const key = await issueKey(stage.ctx);
    const by = { actor: { type: "operator_key", apiKeyId: operator.id }, requestId: null } as const;
    await setPartnerStatus(stage.ctx, { by, partnerId: key.partnerId ?? "", status: "suspended" });
    const answer = await knock(operation, { apiKey: key.apiKey });
    expect([answer.status, answer.body.code]).toEqual([403, "partner_suspended"]);
  });
});

describe.each(named(of("operator", "both").filter(({ id }) => id !== "logout")))("%s", (_id, operation) => {
  it("lets in the operator's people whose role includes it, and nobody else of them", async () => {
    const permission = operation.permission ?? (operation.kind === "read" ? "read" : "administer");
    const may = { admin: true, approver: permission !== "administer", viewer: permission === "read" };
    for (const role of ["admin", "approver", "viewer"] as const) {
      const answer = await knock(operation, token(role));
      if (may[role]) expect(LET_IN).toContain(answer.status);
      else expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    }
  });
});

describe.each(named(OPERATIONS.filter(({ caller }) => caller === "provider")))("%s", (_id, operation) => {
  it("is not for a key or a token: only the provider's signature counts", async () => {
    for (const call of [{}, { apiKey: operator.apiKey }, token("admin")]) {
      const answer = await knock(operation, call);
      expect([answer.status, answer.body.code]).toEqual([401, "missing_credentials"]);
    }
    const forged = await knock(operation, { headers: { "X-Signature": "0".repeat(128) } });
    expect([forged.status, forged.body.code]).toEqual([401, "signature_mismatch"]);
  });
});
