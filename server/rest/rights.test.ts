import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Operation } from "#contract/operation.ts";
import { users } from "#db/schema/people.ts";
import { scopesOf } from "#domain/access.ts";
import { hashPassword } from "#server/adapters/passwords.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { openPartnerStage, type PartnerCall, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey, rawRequest, readAnswer, signatureOf, signedRequest, testSurfaceContext } from "#testing/surface.ts";
import { operationsOf, REGISTRY } from "./registry.ts";
import { RIGHTS, RIGHTS_OF } from "./rights-fixture.ts";
import { handle, type Surface } from "./surface.ts";

/** Every operation of every surface × everybody who might call it, with every missing proof. */

const ROLES = ["admin", "approver", "viewer"] as const;
const PASSWORD = "vellum-otter-92-quay";
let database: TestDatabase;
let stage: PartnerStage;
let keys: Record<"partner" | "operator" | "suspended" | "signing", IssuedApiKey>;
const narrow = new Map<string, IssuedApiKey>();
const tokens = new Map<string, string>();
beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  keys = {
    partner: await issueKey(stage.ctx),
    operator: await issueKey(stage.ctx, { partnerId: null }),
    suspended: await issueKey(stage.ctx, {}, { status: "suspended" }),
    signing: await issueKey(stage.ctx, { signedManagement: "all" }),
  };
  for (const side of ["partner", "operator"] as const) {
    const partnerId = side === "operator" ? null : keys.partner.partnerId;
    for (const scope of scopesOf(partnerId)) {
      narrow.set(`${side} only ${scope}`, await issueKey(stage.ctx, { partnerId, scopes: [scope] }));
      const scopes = scopesOf(partnerId).filter((each) => each !== scope);
      narrow.set(`${side} all but ${scope}`, await issueKey(stage.ctx, { partnerId, scopes }));
    }
  }
  const passwordHash = await hashPassword(PASSWORD);
  for (const role of ROLES) {
    const email = `${role}@example.com`;
    await database.db.insert(users).values({ id: randomUUID(), email, name: role, passwordHash, role, createdAt: new Date() });
    tokens.set(role, (await stage.call("POST", "/login", { form: { username: email, password: PASSWORD } })).body.access_token);
  }
});
afterAll(() => database.close());

const NOBODYS = randomUUID();
const targetOf = ({ path }: Operation) => path.replace(/\{\w+\}/g, NOBODYS);
const typeOf = ({ id }: Operation) => (id === "login_for_access_token" ? "application/x-www-form-urlencoded" : "application/json");
const bodyOf = ({ method }: Operation) => (method === "GET" || method === "DELETE" ? undefined : {});
/** With unknown ids and an empty body: a caller with the right gets in, and finds nothing or a fault. */
const IN = "in";
const outcome = (status: number, code: unknown) => ([200, 201, 202, 204, 404, 409, 422].includes(status) ? IN : String(code));
const keyNamed = (name: string): IssuedApiKey => narrow.get(name) ?? keys.partner;

async function knock(operation: Operation, call: PartnerCall): Promise<string> {
  if (operation.path.startsWith("/sandbox")) return await knockAt("sandbox", operation, call);
  const { status, body } = await stage.call(operation.method, targetOf(operation), { body: bodyOf(operation), ...call });
  return outcome(status, body?.code);
}

/** The same of a surface whose stage there is not. `mode`: how the service runs. */
async function knockAt(
  name: Surface["name"],
  operation: Operation,
  { apiKey, token, headers = {} }: PartnerCall,
  mode: "sandbox" | "live" = "sandbox",
) {
  const { surface, bindings } = REGISTRY[name];
  const context = mode === "live" ? testSurfaceContext({ ...stage.ctx, mode }, { mode }) : stage.surfaceContext;
  const proofs = { apiKey: apiKey ?? null, Authorization: token === undefined ? null : `Bearer ${token}`, ...headers };
  const body = bodyOf(operation) === undefined ? "" : "{}";
  const sent = { method: operation.method, target: targetOf(operation), body, headers: { "Content-Type": typeOf(operation), ...proofs } };
  const { status, body: answer } = readAnswer(await handle(surface, context, bindings, rawRequest(sent)));
  return answer.code === "route_not_found" ? "route_not_found" : outcome(status, answer.code);
}

/** The same, signed: by the key's own secret, unless another is given. `leftOut`: a header that the request lacks. */
async function knockAsSigner(operation: Operation, { apiKey, apiSecret }: Pair, leftOut: string | null = null): Promise<string> {
  const body = bodyOf(operation) === undefined ? "" : "{}";
  const target = targetOf(operation);
  const signature = signatureOf(apiSecret, { method: operation.method, target, body });
  const headers = Object.fromEntries(Object.entries(signature).filter(([name]) => name !== leftOut));
  return await knock(operation, { apiKey, headers });
}

type Pair = { apiKey: string; apiSecret: string };

/** `leftOut`: a header that the request lacks. */
async function knockSigned(operation: Operation, key: Pair, leftOut: string | null = null): Promise<string> {
  const { surface, bindings } = REGISTRY.settlement;
  const body = bodyOf(operation) === undefined ? "" : "{}";
  const headers = leftOut === null ? {} : { [leftOut]: null };
  const request = signedRequest(key, { method: operation.method, target: targetOf(operation), body, headers });
  const { status, body: answer } = readAnswer(await handle(surface, stage.surfaceContext, bindings, request));
  return outcome(status, answer.code);
}

it("is written down for every operation, and for none that is not there", () => {
  const all = Object.values(REGISTRY).flatMap(({ bindings }) => bindings.map(({ operation: { id } }) => id));
  expect(Object.keys(RIGHTS).toSorted()).toEqual(all.toSorted());
});

const named = (surface: Surface["name"]) => operationsOf(surface).map((operation) => [operation.id, operation] as const);
const meaningOf = ({
  id,
}: Operation): (typeof RIGHTS_OF)[keyof typeof RIGHTS_OF] & { partner?: string | null; operator?: string | null } => {
  const right = RIGHTS[id];
  if (right === undefined) throw new Error(`nobody has written down who may call ${id}`);
  return RIGHTS_OF[right];
};

describe.each(named("settlement"))("%s", (_id, operation) => {
  it("is for a partner's signature with its scope", async () => {
    const { partner: scope = null } = meaningOf(operation);
    const stranger = { apiKey: `key_test_${"x".repeat(32)}`, apiSecret: keys.partner.apiSecret };
    const found = {
      right: await knockSigned(operation, keys.partner),
      unknown: await knockSigned(operation, stranger),
      anothersSecret: await knockSigned(operation, { ...keys.partner, apiSecret: keys.signing.apiSecret }),
      unsigned: await knockSigned(operation, keys.partner, "X-Service-Signature"),
      keyless: await knockSigned(operation, keys.partner, "Authorization"),
      timeless: await knockSigned(operation, keys.partner, "X-Service-Timestamp"),
      nonceless: await knockSigned(operation, keys.partner, "X-Service-Nonce"),
      byToken: await knockSigned(operation, { ...keys.partner, apiKey: `Bearer ${tokens.get("admin")}` }),
      suspended: await knockSigned(operation, keys.suspended),
      operators: await knockSigned(operation, keys.operator),
      narrowed: scope === null ? "scope_missing" : await knockSigned(operation, keyNamed(`partner all but ${scope}`)),
      enough: scope === null ? IN : await knockSigned(operation, keyNamed(`partner only ${scope}`)),
    };
    expect(found).toEqual({
      right: IN,
      unknown: "unknown_api_key",
      anothersSecret: "signature_mismatch",
      unsigned: "missing_credentials",
      keyless: "missing_credentials",
      timeless: "missing_credentials",
      nonceless: "missing_credentials",
      byToken: "unknown_api_key",
      suspended: "partner_suspended",
      operators: "scope_missing",
      narrowed: "scope_missing",
      enough: IN,
    });
  });
});

const behindKeys = [...named("partner"), ...named("sandbox")].filter(([, { caller }]) => caller !== "anybody" && caller !== "provider");
describe.each(behindKeys)("%s", (_id, operation) => {
  it("is for the keys, scopes, roles and proofs that are written down", async () => {
    const { partner, operator, people } = meaningOf(operation);
    const byKey = async (name: string) => await knock(operation, { apiKey: keyNamed(name).apiKey });
    const isPartners = partner !== undefined;
    const isOperators = operator !== undefined;
    const found = {
      nobody: await knock(operation, {}),
      unknownKey: await knock(operation, { apiKey: `key_test_${"x".repeat(32)}` }),
      unknownToken: await knock(operation, { token: `tok_${"x".repeat(43)}` }),
      unsigned: await knock(operation, { apiKey: keys.signing.apiKey }),
      signed: await knockAsSigner(operation, keys.signing),
      anothersSecret: await knockAsSigner(operation, { ...keys.signing, apiSecret: keys.partner.apiSecret }),
      nonceless: await knockAsSigner(operation, keys.signing, "X-Service-Nonce"),
      timeless: await knockAsSigner(operation, keys.signing, "X-Service-Timestamp"),
      partner: await knock(operation, { apiKey: keys.partner.apiKey }),
      suspended: await knock(operation, { apiKey: keys.suspended.apiKey }),
      operator: operation.id === "logout" ? "no token" : await knock(operation, { apiKey: keys.operator.apiKey }),
      ...(partner ? { narrowed: await byKey(`partner all but ${partner}`), enough: await byKey(`partner only ${partner}`) } : {}),
      ...(operator
        ? { operatorsNarrowed: await byKey(`operator all but ${operator}`), operatorsEnough: await byKey(`operator only ${operator}`) }
        : {}),
    };
    expect(found).toEqual({
      nobody: "missing_api_key",
      unknownKey: "unknown_api_key",
      unknownToken: "invalid_token",
      unsigned: "signature_required",
      signed: isPartners ? IN : "forbidden",
      anothersSecret: "signature_mismatch",
      nonceless: "signature_required",
      timeless: "signature_required",
      partner: isPartners ? IN : "forbidden",
      suspended: isPartners ? "partner_suspended" : "forbidden",
      operator: operation.id === "logout" ? "no token" : isOperators ? IN : "forbidden",
      ...(partner ? { narrowed: "scope_missing", enough: IN } : {}),
      ...(operator ? { operatorsNarrowed: "scope_missing", operatorsEnough: IN } : {}),
    });
    if (operation.id === "logout") return;
    for (const role of ROLES) {
      const may = (people as readonly string[]).includes(role);
      expect([role, await knock(operation, { token: tokens.get(role) ?? "" })]).toEqual([role, may ? IN : "forbidden"]);
    }
  });
});

describe.each(named("partner").filter(([, { caller }]) => caller === "provider"))("%s", (_id, operation) => {
  it("is not for a key or a token: only the provider's signature counts", async () => {
    for (const call of [{}, { apiKey: keys.operator.apiKey }, { token: tokens.get("admin") ?? "" }])
      expect(await knock(operation, call)).toBe("missing_credentials");
    expect(await knock(operation, { headers: { "X-Signature": "0".repeat(128) } })).toBe("signature_mismatch");
  });
});

describe("what needs no proof", () => {
  const open = (["partner", "system"] as const).flatMap((name) => named(name).filter(([, { caller }]) => caller === "anybody"));

  it("is written down as such, and nothing else is open", () => {
    const written = Object.entries(RIGHTS).filter(([, right]) => right === "anybody");
    expect(open.map(([id]) => id).toSorted()).toEqual(written.map(([id]) => id).toSorted());
  });

  it.each(open)("%s answers without one, and a wrong one changes nothing", async (_id, operation) => {
    const name = operation.path === "/login" ? "partner" : "system";
    for (const proof of [{}, { apiKey: `key_test_${"x".repeat(32)}` }, { token: `tok_${"x".repeat(43)}` }])
      expect(await knockAt(name, operation, proof)).toBe(IN);
  });
});

it.each(named("sandbox"))("%s is not there in live mode, whatever is proven", async (_id, operation) => {
  for (const proof of [{}, { apiKey: keys.operator.apiKey }, { token: tokens.get("admin") ?? "" }])
    expect(await knockAt("sandbox", operation, proof, "live")).toBe("route_not_found");
});
