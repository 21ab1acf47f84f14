import { expect, test } from "@playwright/test";
import { memberSchema } from "#contract/partner/member.ts";
import { createMemberOperation, getMemberOperation, updateMemberOperation } from "#contract/partner/member-operations.ts";
import { expectOperatorError, read } from "../support/answers.ts";
import { asPartner, asRival, expectInvalid, freshName, freshPhone, readList } from "../support/partner-surface.ts";
import { chain } from "../support/running-sandbox.ts";
import { freshWallet } from "../support/settlements.ts";

/** Contract, part 6: a partner's members, with their own wallets. Those without one get a Safe, which another story covers. */

const wanted = (more: Record<string, unknown> = {}) => ({
  external_user_id: freshName("user"),
  phone: freshPhone(),
  wallet_address: freshWallet(),
  ...more,
});
const create = async (body: Record<string, unknown>) =>
  read(createMemberOperation, await asPartner.call("POST", "/partners/members", body));
const pathOf = (name: string) => `/partners/members/${encodeURIComponent(name)}`;

test("a member is created, found by reference and by id, and a repeat answers with it", async () => {
  const body = wanted({ name: "Wanjikũ", email: "w@example.com", chain: chain.chain });
  const member = await create(body);
  expect(member).toMatchObject({ ...body, safe_status: null });
  for (const name of [member.external_user_id, member.id]) {
    expect(read(getMemberOperation, await asPartner.call("GET", pathOf(name)))).toEqual(member);
    expectOperatorError(await asRival.call("GET", pathOf(name)), 404, "not_found");
  }
  const again = await asPartner.call("POST", "/partners/members", body);
  expect([again.status, memberSchema.parse(JSON.parse(again.text))]).toEqual([200, member]);
});

test("asked for several times at once a member exists once", async () => {
  const body = wanted();
  const answers = await Promise.all(Array.from({ length: 6 }, () => asPartner.call("POST", "/partners/members", body)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test("another phone under the same reference, and a phone of another member, are 409", async () => {
  const member = await create(wanted());
  const conflicting = [wanted({ external_user_id: member.external_user_id }), wanted({ phone: member.phone })];
  for (const body of conflicting) expectOperatorError(await asPartner.call("POST", "/partners/members", body), 409, "conflict");
});

test("a member's phone, name and e-mail address change, its wallet does not", async () => {
  const member = await create(wanted());
  const phone = freshPhone();
  const updated = read(updateMemberOperation, await asPartner.call("PUT", pathOf(member.external_user_id), { phone, name: "New" }));
  expect(updated).toEqual({ ...member, phone, name: "New", updated_at: expect.any(String) });
  expectInvalid(await asPartner.call("PUT", pathOf(member.id), { wallet_address: freshWallet() }), ["body", "wallet_address"]);
  expectOperatorError(await asPartner.call("PUT", pathOf(freshName("nobody")), { name: "X" }), 404, "not_found");
  expectOperatorError(await asRival.call("PUT", pathOf(member.external_user_id), { name: "X" }), 404, "not_found");
  const other = await create(wanted());
  expectOperatorError(await asPartner.call("PUT", pathOf(member.id), { phone: other.phone }), 409, "conflict");
});

test("members are listed newest first, by page and by search, with the total", async () => {
  const word = freshName("listed");
  const made = [await create(wanted({ name: word })), await create(wanted({ name: word })), await create(wanted({ name: word }))];
  const list = async (query: string) => readList(memberSchema, await asPartner.call("GET", `/partners/members?search=${word}${query}`));
  expect(await list("")).toEqual({ items: made.toReversed(), total: 3 });
  expect(await list("&skip=1&limit=1")).toEqual({ items: [made[1]], total: 3 });
  expect(readList(memberSchema, await asRival.call("GET", `/partners/members?search=${word}`))).toEqual({ items: [], total: 0 });
  expectInvalid(await asPartner.call("GET", "/partners/members?limit=101"), ["query", "limit"]);
});

test("an invalid phone, wallet or chain is 422", async () => {
  const refused = (more: Record<string, unknown>) => asPartner.call("POST", "/partners/members", wanted(more));
  expectInvalid(await refused({ phone: "0712345678" }), ["body", "phone"]);
  expectInvalid(await refused({ wallet_address: chain.tokens.USDT }), ["body", "wallet_address"]);
  expectInvalid(await refused({ chain: "eip155:999" }), ["body", "chain"]);
  expectInvalid(await refused({ external_user_id: undefined }), ["body", "external_user_id"]);
});
