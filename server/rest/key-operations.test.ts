import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findCallbackSigning } from "#db/queries/callbacks/callback-signing.ts";
import { OPERATOR_SCOPES, SCOPES } from "#domain/access.ts";
import { keyHash } from "#domain/api-key.ts";
import { callbackSecretOf } from "#domain/sealed-place.ts";
import type { IssuedApiKey } from "#server/services/access/issue-api-key.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { listProposals } from "#server/services/proposal-decisions/kinds.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { setClockOffset } from "#testing/factories.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { addOperatorKey, addProvenPerson, refusalOf } from "#testing/people.ts";
import { issueKey } from "#testing/surface.ts";

let database: TestDatabase;
let stage: PartnerStage;
let operator: string;
let own: IssuedApiKey;
let rival: IssuedApiKey;
beforeAll(async () => {
  database = await createTestDatabase();
  stage = openPartnerStage(database.db);
  operator = (await issueKey(stage.ctx, { partnerId: null })).apiKey;
  own = await issueKey(stage.ctx);
  rival = await issueKey(stage.ctx);
});
afterAll(() => database.close());

const create = (body: Record<string, unknown>, apiKey = operator) => stage.call("POST", "/partners/api-keys", { apiKey, body });
const rotate = (id: string, apiKey: string, overlap_seconds: unknown = 60) =>
  stage.call("POST", `/partners/api-keys/${id}/rotate`, { apiKey, body: { overlap_seconds } });
const remove = (id: string, apiKey: string) => stage.call("DELETE", `/partners/api-keys/${id}`, { apiKey });
const works = async (apiKey: string) => (await stage.call("GET", "/partners/current", { apiKey })).status === 200;

describe("API keys", () => {
  it("are shown with their secret once, at creation, and open the door from then on", async () => {
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const body = {
      partner_id: own.partnerId,
      name: "Till 7",
      scopes: ["partner:read"],
      allowed_ips: ["127.0.0.1", "10.0.0.0/8", "::1"],
      expires_at: expires,
    };
    const created = await create(body);
    expect([created.status, created.body]).toEqual([
      201,
      {
        ...body,
        id: expect.any(String),
        api_key: expect.stringMatching(/^key_test_/),
        api_secret: expect.stringMatching(/^sec_test_/),
        api_key_hash: keyHash(created.body.api_key),
        last_four: created.body.api_key.slice(-4),
        signed_management: false,
        rotated_from: null,
        made_by_key: expect.any(String),
        created_at: expect.any(String),
        revoked_at: null,
        last_used_at: null,
        last_uses: [],
      },
    ]);
    expect(await works(created.body.api_key)).toBe(true);
    const listed = await stage.call("GET", "/partners/api-keys", { apiKey: own.apiKey });
    const same = listed.body.find((key: { id: string }) => key.id === created.body.id);
    expect(same).toMatchObject({ name: "Till 7", last_used_at: expect.any(String) });
    expect(same.last_uses).toEqual([{ operation: "current_partner", at: expect.any(String) }]);
    expect(JSON.stringify(listed.body)).not.toMatch(/key_test_|sec_test_/);
  });

  it("were made at business time, like everything else that is stored, and end at real time", async () => {
    await setClockOffset(database.db, 8 * 86_400_000);
    const { body } = await create({ partner_id: own.partnerId });
    await setClockOffset(database.db, 0);
    expect(Date.parse(body.created_at) - Date.now()).toBeGreaterThan(7 * 86_400_000);
    expect(await works(body.api_key)).toBe(true);
  });

  it("carry every scope and come from anywhere, for ever, unless said", async () => {
    const { body } = await create({ partner_id: own.partnerId });
    expect(body).toMatchObject({ scopes: [...SCOPES], allowed_ips: [], expires_at: null });
    expect((await create({ partner_id: null })).body).toMatchObject({ partner_id: null, scopes: [...OPERATOR_SCOPES] });
  });

  it("are refused for an unknown partner, with an end in the past, or with an invalid scope or address", async () => {
    expect((await create({ partner_id: randomUUID() })).status).toBe(404);
    for (const [body, field] of [
      [{}, "partner_id"],
      [{ partner_id: "x" }, "partner_id"],
      [{ partner_id: null, expires_at: new Date(Date.now() - 1).toISOString() }, "expires_at"],
      [{ partner_id: null, expires_at: "tomorrow" }, "expires_at"],
      [{ partner_id: null, scopes: [] }, "scopes"],
      [{ partner_id: null, scopes: ["everything"] }, "scopes"],
      [{ partner_id: null, scopes: ["partner:read"] }, "scopes"],
      [{ partner_id: own.partnerId, scopes: ["read"] }, "scopes"],
      [{ partner_id: null, allowed_ips: ["localhost"] }, "allowed_ips"],
      [{ partner_id: null, allowed_ips: ["10.0.0.0/33"] }, "allowed_ips"],
    ] as const) {
      const answer = await create(body);
      expect([answer.status, answer.body.detail[0].loc[1]], JSON.stringify(answer.body)).toEqual([422, field]);
    }
  });

  it("hand on nothing that is freer than themselves: in scopes, in addresses or for longer; left out, their own limits hold", async () => {
    const end = new Date(Date.now() + 3_600_000);
    const limits = { allowedIps: ["127.0.0.1"], expiresAt: end };
    const limited = await issueKey(stage.ctx, { partnerId: null, scopes: ["partners:admin"], ...limits });
    const mine = { partner_id: null, allowed_ips: ["127.0.0.1"], expires_at: end.toISOString() };
    const later = new Date(end.getTime() + 1).toISOString();
    for (const freer of [
      { scopes: ["settlements:decide"] },
      { allowed_ips: [] },
      { allowed_ips: ["10.0.0.1"] },
      { expires_at: null },
      { expires_at: later },
    ])
      expect((await create({ ...mine, ...freer }, limited.apiKey)).body.code, JSON.stringify(freer)).toBe("forbidden");
    const { body } = await create({ partner_id: null }, limited.apiKey);
    expect(body).toMatchObject({ scopes: ["partners:admin"], allowed_ips: ["127.0.0.1"], expires_at: end.toISOString() });
    const ofPartner = await create({ partner_id: own.partnerId }, limited.apiKey);
    expect(ofPartner.body).toMatchObject({ scopes: [...SCOPES], allowed_ips: [], expires_at: null });
  });

  it("rotate themselves, and none that is freer than themselves; scopes, addresses and end stay", async () => {
    const end = new Date(Date.now() + 3_600_000);
    const limits = { scopes: ["partner:write"] as const, allowedIps: ["127.0.0.1"], expiresAt: end };
    const till = await issueKey(stage.ctx, { partnerId: own.partnerId, ...limits });
    for (const freer of [{ scopes: ["partner:read", "partner:write"] as const }, { allowedIps: [] }, { expiresAt: null }]) {
      const sister = await issueKey(stage.ctx, { partnerId: own.partnerId, ...limits, ...freer });
      expect((await rotate(sister.id, till.apiKey)).body.code, JSON.stringify(freer)).toBe("forbidden");
    }
    const equal = await issueKey(stage.ctx, { partnerId: own.partnerId, ...limits });
    expect((await rotate(equal.id, till.apiKey)).status).toBe(201);
    const { status, body } = await rotate(till.id, till.apiKey);
    const rights = { scopes: ["partner:write"], allowed_ips: ["127.0.0.1"], expires_at: end.toISOString() };
    expect([status, body]).toMatchObject([201, { ...rights, rotated_from: till.id }]);
    const listed = await stage.call("GET", "/partners/api-keys?limit=100", { apiKey: own.apiKey });
    expect(listed.body.find((key: { id: string }) => key.id === body.id)).toMatchObject({ rotated_from: till.id });
  });

  it("are created by the operator alone", async () => {
    expect((await create({ partner_id: own.partnerId }, own.apiKey)).body.code).toBe("forbidden");
  });

  it("end at once when deleted, by the operator or their partner, and deleting again changes nothing", async () => {
    for (const apiKey of [operator, own.apiKey]) {
      const key = await issueKey(stage.ctx, { partnerId: own.partnerId });
      const answer = await remove(key.id, apiKey);
      expect([answer.status, answer.body]).toEqual([204, null]);
      expect(await works(key.apiKey)).toBe(false);
      expect((await remove(key.id, apiKey)).status).toBe(204);
    }
  });

  it("of another partner are not there to be deleted, rotated or listed", async () => {
    expect((await remove(rival.id, own.apiKey)).status).toBe(404);
    expect((await rotate(rival.id, own.apiKey)).status).toBe(404);
    for (const id of [randomUUID(), "x"]) expect((await remove(id, own.apiKey)).status).toBe(404);
    expect(await works(rival.apiKey)).toBe(true);
    const { body } = await stage.call("GET", "/partners/api-keys?limit=100", { apiKey: own.apiKey });
    expect(new Set(body.map((key: { partner_id: string }) => key.partner_id))).toEqual(new Set([own.partnerId]));
    const all = await stage.call("GET", "/partners/api-keys?limit=100", { apiKey: operator });
    expect(new Set(all.body.map((key: { partner_id: string }) => key.partner_id)).size).toBeGreaterThan(2);
  });

  it("work next to their successor for the overlap, and not at all without one", async () => {
    const key = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const second = await rotate(key.id, own.apiKey, 60);
    expect(second.status).toBe(201);
    expect([await works(key.apiKey), await works(second.body.api_key)]).toEqual([true, true]);
    const third = await rotate(second.body.id, own.apiKey, 0);
    expect([await works(second.body.api_key), await works(third.body.api_key)]).toEqual([false, true]);
    expect((await rotate(second.body.id, own.apiKey, 0)).body.code).toBe("conflict");
    for (const overlap of [-1, 1.5, "60", 10_000_000, undefined]) {
      expect(
        (await stage.call("POST", `/partners/api-keys/${third.body.id}/rotate`, { apiKey: own.apiKey, body: { overlap_seconds: overlap } }))
          .status,
      ).toBe(422);
    }
  });

  it.each([0, 3_600])("rotated by several at once, with an overlap of %i seconds, have one successor", async (overlap) => {
    const key = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const answers = await Promise.all([1, 2, 3, 4].map(() => rotate(key.id, operator, overlap)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect((await rotate(key.id, operator, overlap)).body.code).toBe("conflict");
  });

  it("whose successor was revoked may be rotated again while they are valid", async () => {
    const key = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const lost = (await rotate(key.id, operator, 3_600)).body;
    await remove(lost.id, operator);
    expect([await works(key.apiKey), await works(lost.api_key)]).toEqual([true, false]);
    expect((await rotate(key.id, operator, 3_600)).status).toBe(201);
  });

  it("end with the key that they were rotated from, however long the line, and no other key does", async () => {
    const leaked = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const before = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const line = [leaked];
    for (let each = 0; each < 3; each += 1) {
      const last = line.at(-1) ?? leaked;
      const { body } = await rotate(last.id, last.apiKey, 3_600);
      line.push({ ...last, id: body.id, apiKey: body.api_key });
    }
    expect(await Promise.all(line.map(({ apiKey }) => works(apiKey)))).toEqual([true, true, true, true]);
    expect((await remove(line[1]?.id ?? "", own.apiKey)).status).toBe(204);
    expect(await Promise.all(line.map(({ apiKey }) => works(apiKey)))).toEqual([true, false, false, false]);
    const rows = await database.sql`select object_id, change->>'descends_from' as from from audit_entries
      where action = 'api_key.revoked' and object_id in ${database.sql(line.map(({ id }) => id))} order by id`;
    expect(new Map(rows.map((entry) => [entry.object_id, entry.from]))).toEqual(
      new Map([1, 2, 3].map((place) => [line[place]?.id, place === 1 ? null : line[1]?.id])),
    );
    expect(await works(before.apiKey)).toBe(true);
  });

  it("that have ended are revoked too: what a thief rotated from them ends", async () => {
    const leaked = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const stolen = (await rotate(leaked.id, leaked.apiKey, 0)).body;
    expect([await works(leaked.apiKey), await works(stolen.api_key)]).toEqual([false, true]);
    await remove(leaked.id, own.apiKey);
    expect(await works(stolen.api_key)).toBe(false);
  });

  it("rotated while the first of the family is revoked do not outlive it", async () => {
    for (let round = 0; round < 6; round += 1) {
      const first = await issueKey(stage.ctx, { partnerId: own.partnerId });
      const second = (await rotate(first.id, operator, 3_600)).body;
      const [rotated] = await Promise.all([rotate(second.id, second.api_key, 3_600), remove(first.id, operator)]);
      expect([201, 401, 409]).toContain(rotated.status);
      if (rotated.status === 201) expect(await works(rotated.body.api_key)).toBe(false);
      expect(await works(second.api_key)).toBe(false);
    }
  });
});

describe("what was made with a key", () => {
  it("ends with it: a sibling's successor, which a thief rotated with it; its own sibling stays", async () => {
    const [leaked, sibling] = [
      await issueKey(stage.ctx, { partnerId: own.partnerId }),
      await issueKey(stage.ctx, { partnerId: own.partnerId }),
    ];
    const stolen = (await rotate(sibling.id, leaked.apiKey, 3_600)).body;
    expect(stolen).toMatchObject({ rotated_from: sibling.id, made_by_key: leaked.id });
    await remove(leaked.id, own.apiKey);
    expect([await works(stolen.api_key), await works(sibling.apiKey)]).toEqual([false, true]);
  });

  it("ends with an operator's key: partners' keys that it made or rotated, and what came of those", async () => {
    const admin = await issueKey(stage.ctx, { partnerId: null, scopes: ["partners:admin"] });
    const made = (await create({ partner_id: own.partnerId }, admin.apiKey)).body;
    const partners = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const rotated = (await rotate(partners.id, admin.apiKey, 3_600)).body;
    const further = (await rotate(made.id, made.api_key, 3_600)).body;
    const ofOperator = (await create({ partner_id: null, scopes: ["partners:admin"] }, admin.apiKey)).body;
    const ofThat = (await create({ partner_id: own.partnerId }, ofOperator.api_key)).body;
    const all = [made, rotated, further, ofThat];
    expect(await Promise.all(all.map((key) => works(key.api_key)))).toEqual([true, true, true, true]);
    expect((await remove(admin.id, operator)).status).toBe(204);
    expect(await Promise.all(all.map((key) => works(key.api_key)))).toEqual([false, false, false, false]);
    const rows = await database.sql`select object_id, partner_id from audit_entries where action = 'api_key.revoked'
      and change->>'descends_from' = ${admin.id}`;
    const partnerId = own.partnerId;
    expect(new Map(rows.map((row) => [row.object_id, row.partner_id]))).toEqual(
      new Map([...all.map((key) => [key.id, partnerId] as const), [ofOperator.id, null] as const]),
    );
  });

  it("is listed on request, and nothing ends by that; another partner's key is not there", async () => {
    const leaked = await issueKey(stage.ctx, { partnerId: own.partnerId, name: "Leaked" });
    const sibling = await issueKey(stage.ctx, { partnerId: own.partnerId });
    const stolen = (await rotate(sibling.id, leaked.apiKey, 3_600)).body;
    const preview = (id: string, apiKey: string) => stage.call("DELETE", `/partners/api-keys/${id}?dry_run=true`, { apiKey });
    const answer = await preview(leaked.id, own.apiKey);
    expect([answer.status, answer.body.ends.map(({ id }: { id: string }) => id).toSorted()]).toEqual([
      200,
      [leaked.id, stolen.id].toSorted(),
    ]);
    expect(JSON.stringify(answer.body)).not.toMatch(/api_secret|key_test_/);
    expect([await works(leaked.apiKey), await works(stolen.api_key)]).toEqual([true, true]);
    expect((await preview(rival.id, own.apiKey)).status).toBe(404);
    expect((await stage.call("DELETE", `/partners/api-keys/${leaked.id}?dry_run=false`, { apiKey: own.apiKey })).status).toBe(204);
    expect(await works(stolen.api_key)).toBe(false);
    expect((await preview(leaked.id, own.apiKey)).body).toEqual({ ends: [] });
  });

  it("while that key is revoked does not outlive it", async () => {
    for (let round = 0; round < 6; round += 1) {
      const [leaked, sibling] = [
        await issueKey(stage.ctx, { partnerId: own.partnerId }),
        await issueKey(stage.ctx, { partnerId: own.partnerId }),
      ];
      const admin = await issueKey(stage.ctx, { partnerId: null, scopes: ["partners:admin"] });
      const [rotated, made] = await Promise.all([
        rotate(sibling.id, leaked.apiKey, 3_600),
        create({ partner_id: own.partnerId }, admin.apiKey),
        remove(leaked.id, operator),
        remove(admin.id, operator),
      ]);
      for (const answer of [rotated, made]) {
        expect([201, 401]).toContain(answer.status);
        if (answer.status === 201) expect(await works(answer.body.api_key)).toBe(false);
      }
    }
  });
});

describe("an operator's key in live mode", () => {
  it("awaits a second person, opens nothing before, and counts as who asked for it", async () => {
    const live = openPartnerStage(database.db, { mode: "live" });
    const [ana, ben] = [await addProvenPerson(database.db, "admin"), await addProvenPerson(database.db, "admin")];
    const maker = await addOperatorKey(database.db, ana.id);
    const issuer = await issueKey(live.ctx, { partnerId: null, by: maker });
    await database.sql`update api_keys set created_at = created_at - interval '2 days' where id = ${issuer.id}`;
    const created = await live.call("POST", "/partners/api-keys", {
      apiKey: issuer.apiKey,
      body: { partner_id: null, signed_management: true },
    });
    expect([created.status, created.body]).toMatchObject([202, { scopes: ["read"], proposal_id: expect.stringMatching(/^pr_/) }]);
    const list = async () => (await live.call("GET", "/partners/api-keys", { apiKey: created.body.api_key })).status;
    expect(await list()).toBe(401);
    const { proposal_id: id } = created.body;
    expect(await refusalOf(confirmProposal(live.ctx, { by: ana.by, id }))).toBe("same_approver");
    const { proposal } = await confirmProposal(live.ctx, { by: ben.by, id });
    expect(await list()).toBe(200);
    const [row] = await database.sql`select made_by from api_keys where id = ${created.body.id}`;
    expect(row).toEqual({ made_by: ana.id });
    const shown = JSON.stringify([
      await listProposals(live.ctx),
      await database.sql`select change from audit_entries where object_id = ${proposal.id}`,
    ]);
    expect(shown).not.toMatch(/sealed|hash|_secret/);
  });

  it("is not asked for by who only reads; a partner's key, in live mode, does not write unless that is asked for", async () => {
    const live = openPartnerStage(database.db, { mode: "live" });
    const reader = await issueKey(live.ctx, { partnerId: null, scopes: ["read"] });
    const body = { partner_id: own.partnerId };
    expect((await live.call("POST", "/partners/api-keys", { apiKey: reader.apiKey, body })).body).toMatchObject({
      code: "scope_missing",
      required_scope: "partners:admin",
    });
    const admin = await issueKey(live.ctx, { partnerId: null, scopes: ["partners:admin"] });
    const plain = await live.call("POST", "/partners/api-keys", { apiKey: admin.apiKey, body });
    expect([plain.status, plain.body.scopes]).toEqual([202, ["settlements:read", "settlements:write", "partner:read"]]);
    const asked = await live.call("POST", "/partners/api-keys", { apiKey: admin.apiKey, body: { ...body, scopes: ["partner:write"] } });
    expect(asked.body.scopes).toEqual(["partner:write"]);
  });
});

describe("callback secrets", () => {
  const rotateSecret = (partnerId: string | null, apiKey: string, overlap_seconds: number) =>
    stage.call("POST", `/partners/${partnerId}/callback-secret/rotate`, { apiKey, body: { overlap_seconds } });
  const inForce = async (key: IssuedApiKey) => {
    const signing = await findCallbackSigning(database.db, key.id, new Date());
    return signing?.webhookSecrets.map((sealed) => stage.ctx.vault.open(sealed, callbackSecretOf(key.partnerId ?? "")));
  };

  it("are rotated with an overlap in which both sign, and never more than two", async () => {
    const first = await rotateSecret(own.partnerId, own.apiKey, 0);
    expect([first.status, first.body]).toEqual([
      201,
      { callback_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/), previous_expires_at: null },
    ]);
    const second = await rotateSecret(own.partnerId, operator, 3_600);
    expect(new Date(second.body.previous_expires_at).getTime()).toBeGreaterThan(Date.now() + 3_500_000);
    expect(await inForce(own)).toEqual([second.body.callback_secret, first.body.callback_secret]);
    const third = await rotateSecret(own.partnerId, own.apiKey, 60);
    expect(await inForce(own)).toEqual([third.body.callback_secret, second.body.callback_secret]);
    const fourth = await rotateSecret(own.partnerId, own.apiKey, 0);
    expect(await inForce(own)).toEqual([fourth.body.callback_secret]);
  });

  it("rotated by several at once are two at the end, not more", async () => {
    await Promise.all([1, 2, 3, 4].map(() => rotateSecret(own.partnerId, own.apiKey, 60)));
    expect(await inForce(own)).toHaveLength(2);
  });

  it("of another partner cannot be found to be rotated, and need the right to write", async () => {
    for (const id of [rival.partnerId, randomUUID(), "x"]) expect((await rotateSecret(id, own.apiKey, 0)).status).toBe(404);
    expect((await rotateSecret(randomUUID(), operator, 0)).status).toBe(404);
    const reader = await issueKey(stage.ctx, { partnerId: own.partnerId, scopes: ["partner:read"] });
    expect((await rotateSecret(own.partnerId, reader.apiKey, 0)).body.code).toBe("scope_missing");
  });
});
