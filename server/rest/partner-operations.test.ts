import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { TEST_CHAIN } from "#testing/factories.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey } from "#testing/surface.ts";

let database: TestDatabase;
let stage: PartnerStage;
let operator: string;
beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  operator = (await issueKey(stage.ctx, { partnerId: null })).apiKey;
});
afterAll(() => database.close());

const create = (body: Record<string, unknown>, apiKey = operator) => stage.call("POST", "/partners", { apiKey, body });
const wanted = (more: Record<string, unknown> = {}) => ({ name: "Acme", slug: `acme-${randomUUID()}`, roles: ["AGGREGATOR"], ...more });

describe("partners", () => {
  it("are created with what was asked for, and by themselves read under their own key", async () => {
    const wallet = "0x52908400098527886E0F7030069857D2E4169EE7";
    const body = wanted({ roles: ["LIQUIDITY_PROVIDER", "AGGREGATOR"], wallet_address: wallet, charge_fee_percentage: 1.25 });
    const created = await create(body);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ ...body, status: "active" });
    const key = await issueKey(stage.ctx, { partnerId: created.body.id });
    const own = await stage.call("GET", "/partners/current", { apiKey: key.apiKey });
    expect([own.status, own.body]).toEqual([200, created.body]);
  });

  it("have no fee and no wallet unless said; the wallet is then the empty text, which the specification types as a text", async () => {
    const { body } = await create(wanted());
    expect(body).toMatchObject({ charge_fee_percentage: 0, wallet_address: "" });
  });

  it("have a callback secret from the beginning, so that their callbacks can be signed", async () => {
    const { body } = await create(wanted());
    const [row] = await database.sql`select count(*)::int as secrets from callback_secrets where partner_id = ${body.id}`;
    expect(row?.secrets).toBe(1);
  });

  it("are refused under a slug that is taken, also when several ask for it at once", async () => {
    const body = wanted();
    const answers = await Promise.all([create(body), create(body), create(body), create(body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("conflict");
  });

  it("are refused with an invalid name, slug, role, fee or wallet", async () => {
    const { name: _name, ...nameless } = wanted();
    const faulty: [Record<string, unknown>, string][] = [
      [nameless, "name"],
      [wanted({ slug: "Not A Slug" }), "slug"],
      [wanted({ slug: "-x" }), "slug"],
      [wanted({ roles: [] }), "roles"],
      [wanted({ roles: ["AGGREGATOR", "AGGREGATOR"] }), "roles"],
      [wanted({ charge_fee_percentage: 100.0001 }), "charge_fee_percentage"],
      [wanted({ charge_fee_percentage: -1 }), "charge_fee_percentage"],
      [wanted({ charge_fee_percentage: 0.00001 }), "charge_fee_percentage"],
      [wanted({ charge_fee_percentage: "1" }), "charge_fee_percentage"],
      [wanted({ wallet_address: "0x0000000000000000000000000000000000000000" }), "wallet_address"],
      [wanted({ wallet_address: TEST_CHAIN.tokens[1]?.address }), "wallet_address"],
      [wanted({ more: 1 }), "more"],
    ];
    for (const [body, field] of faulty) {
      const answer = await create(body);
      expect([answer.status, answer.body.detail?.[0]?.loc], JSON.stringify(answer.body)).toEqual([422, ["body", field]]);
    }
    const role = await create(wanted({ roles: ["KING"] }));
    expect([role.status, role.body.detail[0].loc]).toEqual([422, ["body", "roles", 0]]);
  });

  it("are listed to the operator, newest first, with the total, by page and by search", async () => {
    const word = randomUUID().slice(0, 8);
    for (const number of [1, 2, 3]) await create(wanted({ name: `Listed ${word} ${number}` }));
    const names = async (query: string) => {
      const { body, headers } = await stage.call("GET", `/partners?search=listed+${word}${query}`, { apiKey: operator });
      return [body.map((partner: { name: string }) => partner.name.at(-1)).join(""), headers["X-Total-Count"]];
    };
    expect(await names("")).toEqual(["321", "3"]);
    expect(await names("&limit=2")).toEqual(["32", "3"]);
    expect(await names("&skip=2&limit=2")).toEqual(["1", "3"]);
    expect(await names("&skip=9")).toEqual(["", "3"]);
    const wild = await stage.call("GET", `/partners?search=${encodeURIComponent("%")}`, { apiKey: operator });
    expect([wild.body, wild.headers["X-Total-Count"]]).toEqual([[], "0"]);
    for (const query of ["limit=0", "limit=101", "limit=x", "skip=-1", "order=name"]) {
      expect((await stage.call("GET", `/partners?${query}`, { apiKey: operator })).status).toBe(422);
    }
  });

  it("get another fee, to four decimals, and every change is in the audit log with who made it", async () => {
    const { body: partner } = await create(wanted());
    const answer = await stage.call("PUT", `/partners/${partner.id}/charge-fee`, {
      apiKey: operator,
      body: { charge_fee_percentage: 2.3456 },
    });
    expect([answer.status, answer.body.charge_fee_percentage]).toEqual([200, 2.3456]);
    const rows = await database.sql`select action, actor_type, change from audit_entries where object_id = ${partner.id} order by id`;
    expect(rows).toMatchObject([
      { action: "partner.created", actor_type: "operator_key" },
      { action: "partner.charge_fee_updated", actor_type: "operator_key", change: { charge_fee_percentage: ["0", "2.3456"] } },
    ]);
  });

  it("are shut out from the next request on when suspended, and let in again", async () => {
    const { body: partner } = await create(wanted());
    const { apiKey } = await issueKey(stage.ctx, { partnerId: partner.id });
    const set = (status: string) => stage.call("PUT", `/partners/${partner.id}/status`, { apiKey: operator, body: { status } });
    const current = async () => (await stage.call("GET", "/partners/current", { apiKey })).status;
    expect([(await set("suspended")).body.status, await current()]).toEqual(["suspended", 403]);
    expect([(await set("active")).body.status, await current()]).toEqual(["active", 200]);
    expect((await set("deleted")).status).toBe(422);
  });

  it("that do not exist are 404, whatever the id looks like", async () => {
    for (const id of [randomUUID(), "nobody", "%27%3B--", "%00"]) {
      const answer = await stage.call("PUT", `/partners/${id}/status`, { apiKey: operator, body: { status: "active" } });
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
    }
  });

  it("cannot do what is the operator's, and the operator has no partner of its own", async () => {
    const { apiKey, partnerId } = await issueKey(stage.ctx);
    for (const [method, target, body] of [
      ["GET", "/partners", undefined],
      ["POST", "/partners", wanted()],
      ["PUT", `/partners/${partnerId}/charge-fee`, { charge_fee_percentage: 0 }],
      ["PUT", `/partners/${partnerId}/status`, { status: "active" }],
    ] as const) {
      const answer = await stage.call(method, target, { apiKey, body });
      expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    }
    const current = await stage.call("GET", "/partners/current", { apiKey: operator });
    expect([current.status, current.body.code]).toEqual([403, "forbidden"]);
  });

  it("need the scope for what they read, and the operator's keys too", async () => {
    const { apiKey } = await issueKey(stage.ctx, { scopes: ["settlements:read"] });
    const current = await stage.call("GET", "/partners/current", { apiKey });
    expect([current.status, current.body]).toEqual([
      403,
      expect.objectContaining({ code: "scope_missing", required_scope: "partner:read" }),
    ]);
    const reader = await issueKey(stage.ctx, { partnerId: null, scopes: ["read"] });
    expect((await stage.call("GET", "/partners", { apiKey: reader.apiKey })).status).toBe(200);
    expect((await create(wanted(), reader.apiKey)).body.code).toBe("scope_missing");
  });
});
