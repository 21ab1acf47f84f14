import { randomInt, randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ensureWallet } from "#db/queries/transfers/wallets.ts";
import { normalizePhone } from "#domain/member.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { TEST_CHAIN } from "#testing/factories.ts";
import { openPartnerStage, type PartnerStage } from "#testing/partner-calls.ts";
import { issueKey } from "#testing/surface.ts";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const TREASURY = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

let database: TestDatabase;
let stage: PartnerStage;
let own: string;
let rival: string;
beforeAll(async () => {
  database = await createTestDatabase();
  // Nothing listens there: creating a member calls no node.
  const { chain, name, confirmations } = TEST_CHAIN;
  const evm = openEvmChains([
    { chain, name, confirmations, rpcUrls: ["http://127.0.0.1:9"], native: { currency: "ETH", decimals: 18 }, tokens: [] },
  ]);
  stage = openPartnerStage(database.db, { evm });
  own = (await issueKey(stage.ctx)).apiKey;
  rival = (await issueKey(stage.ctx)).apiKey;
  await ensureWallet(database.db, { chain: TEST_CHAIN.chain, address: TREASURY, now: new Date() });
});
afterAll(() => database.close());

const freshPhone = () => `+2547${randomInt(10_000_000, 99_999_999)}`;
const wanted = (more: Record<string, unknown> = {}) => ({
  external_user_id: `user-${randomUUID()}`,
  phone: freshPhone(),
  wallet_address: WALLET,
  ...more,
});
const create = (body: Record<string, unknown>, apiKey = own) => stage.call("POST", "/partners/members", { apiKey, body });
const get = (name: string, apiKey = own) => stage.call("GET", `/partners/members/${encodeURIComponent(name)}`, { apiKey });
const update = (name: string, body: Record<string, unknown>, apiKey = own) =>
  stage.call("PUT", `/partners/members/${encodeURIComponent(name)}`, { apiKey, body });

describe("members", () => {
  it("are created with a wallet of their own and read by reference or id, of their partner alone", async () => {
    const body = wanted({ name: "Wanjikũ", email: "w@example.com", chain: TEST_CHAIN.chain, external_user_id: "a/b c?d#%41" });
    const created = await create(body);
    expect([created.status, created.body]).toEqual([
      201,
      { ...body, id: expect.any(String), safe_status: null, created_at: expect.any(String), updated_at: expect.any(String) },
    ]);
    for (const name of [body.external_user_id, created.body.id, created.body.id.toUpperCase()]) {
      const found = await get(name);
      expect([found.status, found.body]).toEqual([200, created.body]);
      expect((await get(name, rival)).status).toBe(404);
    }
    expect((await get("nobody")).body.code).toBe("not_found");
  });

  it("answer a repeat with what exists, whatever else it says, and write nothing again", async () => {
    const body = wanted();
    const first = await create(body);
    const again = await create({ ...body, phone: body.phone.replace("+254", "00254 "), name: "Other" });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const [row] = await database.sql`select count(*)::int as entries from audit_entries where object_id = ${first.body.id}`;
    expect(row?.entries).toBe(1);
  });

  it("are refused under a reference with another phone, and with a phone of another member", async () => {
    const body = wanted();
    await create(body);
    for (const conflicting of [{ ...body, phone: freshPhone() }, wanted({ phone: body.phone })]) {
      const answer = await create(conflicting);
      expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    }
    expect((await create(body, rival)).status).toBe(201);
  });

  it("are refused under a reference that is another member's UUID, which would hide that one; a foreign partner's hides nobody", async () => {
    const first = await create(wanted());
    for (const id of [first.body.id, first.body.id.toUpperCase()]) {
      const answer = await create(wanted({ external_user_id: id }));
      expect([answer.status, answer.body.code]).toEqual([409, "conflict"]);
    }
    expect((await get(first.body.id)).body).toEqual(first.body);
    expect((await create(wanted({ external_user_id: first.body.id }), rival)).status).toBe(201);
    expect((await create(wanted({ external_user_id: randomUUID() }))).status).toBe(201);
  });

  it("asked for several times at once exist once", async () => {
    const body = wanted();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    const phone = freshPhone();
    const racing = await Promise.all(Array.from({ length: 6 }, () => create(wanted({ phone }))));
    expect(racing.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it("without a wallet get a Safe, which is on its way", async () => {
    const { wallet_address: _wallet, ...body } = wanted();
    const created = await create(body);
    expect([created.status, created.body.safe_status, created.body.chain]).toEqual([201, "deploying", TEST_CHAIN.chain]);
  });

  it("are refused with a wallet that is invalid, a token's or ours, and on a chain that is not ours", async () => {
    for (const wallet_address of [
      "0x1",
      "0x0000000000000000000000000000000000000000",
      TEST_CHAIN.tokens[1]?.address,
      TREASURY.toLowerCase(),
    ]) {
      const answer = await create(wanted({ wallet_address }));
      expect([answer.status, answer.body]).toEqual([
        422,
        {
          detail: [expect.objectContaining({ loc: ["body", "wallet_address"] })],
          code: "invalid_wallet_address",
          request_id: expect.any(String),
        },
      ]);
    }
    const elsewhere = await create(wanted({ chain: "eip155:1" }));
    expect([elsewhere.status, elsewhere.body]).toEqual([
      422,
      { detail: [expect.objectContaining({ loc: ["body", "chain"] })], code: "unsupported_chain", request_id: expect.any(String) },
    ]);
  });

  it("are refused without a reference or phone, and with an invalid phone, e-mail address or field", async () => {
    for (const [more, field] of [
      [{ external_user_id: undefined }, "external_user_id"],
      [{ external_user_id: "" }, "external_user_id"],
      [{ external_user_id: "x".repeat(129) }, "external_user_id"],
      [{ phone: undefined }, "phone"],
      [{ phone: "0712345678" }, "phone"],
      [{ phone: "+0712345678" }, "phone"],
      [{ phone: "+25471234x678" }, "phone"],
      [{ phone: 254712345678 }, "phone"],
      [{ email: "nobody" }, "email"],
      [{ chain: "ethereum" }, "chain"],
      [{ more: 1 }, "more"],
    ] as const) {
      const answer = await create(wanted(more));
      expect([answer.status, answer.body.detail?.[0]?.loc], JSON.stringify(answer.body)).toEqual([422, ["body", field]]);
    }
  });

  it("change what is named and keep the rest; null takes a name away; a phone of another member is 409", async () => {
    const { body: member } = await create(wanted({ name: "Old", email: "old@example.com" }));
    const { body: other } = await create(wanted());
    const phone = freshPhone();
    const changed = await update(member.external_user_id, { phone: ` ${phone} `, name: null });
    expect([changed.status, changed.body]).toEqual([200, { ...member, phone, name: null, updated_at: expect.any(String) }]);
    expect((await update(member.id, { email: "new@example.com" })).body).toMatchObject({ email: "new@example.com", phone });
    const taken = await update(member.external_user_id, { phone: other.phone });
    expect([taken.status, taken.body.code]).toEqual([409, "conflict"]);
    expect((await update(member.external_user_id, { phone })).status).toBe(200);
    expect((await update(member.external_user_id, { wallet_address: WALLET })).status).toBe(422);
    expect((await update(member.external_user_id, { name: "Mine" }, rival)).status).toBe(404);
  });

  it("leave no phone, name or address of theirs in the audit log, which nobody can correct", async () => {
    const { body: member } = await create(wanted({ name: "Njeri Private", email: "njeri@example.com" }));
    const phone = freshPhone();
    await update(member.external_user_id, { phone, name: "Njeri Secret" });
    const [row] = await database.sql`select string_agg(change::text, '') as text from audit_entries where object_id = ${member.id}`;
    expect(row?.text).toContain('"fields": ["phone", "name"]');
    for (const secret of [member.phone, phone, "Njeri", "njeri@"]) expect(row?.text).not.toContain(secret);
  });

  it("are listed newest first to their partner, with the total, by page and by search", async () => {
    const { apiKey } = await issueKey(stage.ctx);
    for (const number of [1, 2, 3]) await create(wanted({ external_user_id: `u_${number}`, name: `Name ${number}` }), apiKey);
    const list = async (query: string) => {
      const { body, headers } = await stage.call("GET", `/partners/members${query}`, { apiKey });
      return [body.map((member: { external_user_id: string }) => member.external_user_id), headers["X-Total-Count"]];
    };
    expect(await list("")).toEqual([["u_3", "u_2", "u_1"], "3"]);
    expect(await list("?skip=1&limit=1")).toEqual([["u_2"], "3"]);
    expect(await list("?search=NAME+2")).toEqual([["u_2"], "1"]);
    expect(await list("?search=%25")).toEqual([[], "0"]);
    expect(await list("?search=_")).toEqual([["u_3", "u_2", "u_1"], "3"]);
  });

  it("are walked by cursor without a gap or a repeat, however many are made between the pages", async () => {
    const { apiKey } = await issueKey(stage.ctx);
    const made = [];
    for (let count = 0; count < 5; count += 1) made.push((await create(wanted(), apiKey)).body.id);
    const list = (query: string) => stage.call("GET", `/partners/members?limit=2${query}`, { apiKey });
    const seen: string[] = [];
    const cursors = [""];
    for (const cursor of cursors) {
      const { body, headers } = await list(cursor && `&cursor=${cursor}`);
      seen.push(...body.map(({ id }: { id: string }) => id));
      expect(headers["X-Next-Cursor"]).toBeDefined();
      if (headers["X-Next-Cursor"]) cursors.push(headers["X-Next-Cursor"]);
      await create(wanted(), apiKey);
    }
    expect([seen, cursors.length]).toEqual([made.reverse(), 3]);
    for (const query of ["&cursor=x", `&cursor=${(await list("")).headers["X-Next-Cursor"]}&skip=1`])
      expect((await list(query)).status).toBe(422);
  });
});

describe("phone numbers", () => {
  it("have one form, however they are written", () => {
    for (const text of ["+254712345678", "+254 712 345-678", "00254712345678", "+254 (712) 345.678", " +254712345678 "]) {
      expect(normalizePhone(text)).toBe("+254712345678");
    }
    for (const text of ["", "+", "254712345678", "0712345678", "+0712345678", "+2547123456789012", "+25471", "+254 712 345 67x"]) {
      expect(normalizePhone(text)).toBeNull();
    }
  });

  it("once normal stay as they are", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[1-9]\d{6,14}$/), (phone) => {
        expect(normalizePhone(phone)).toBe(phone);
      }),
    );
  });
});
