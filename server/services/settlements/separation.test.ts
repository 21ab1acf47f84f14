import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { By } from "#domain/access.ts";
import type { Context } from "#server/context.ts";
import { createApiKey } from "#server/services/access/create-api-key.ts";
import { rotateApiKey } from "#server/services/access/rotate-api-key.ts";
import { rotateCallbackSecret } from "#server/services/access/rotate-callback-secret.ts";
import { invitePerson } from "#server/services/people/invitations/invite-person.ts";
import { changeRole } from "#server/services/people/manage-people.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { createTestDatabase, type TestDatabase } from "#testing/database.ts";
import { addPartner, addTerms, setRate, TEST_CHAIN, type TestPartner } from "#testing/factories.ts";
import { addOperatorKey, addPerson, addProvenPerson, refusalOf, type TestPerson } from "#testing/people.ts";
import { issueKey, testContext } from "#testing/surface.ts";
import { approveSettlement } from "./approve-settlement.ts";
import { createSettlement } from "./create-settlement.ts";

/** In live mode nobody is maker and approver at once: of a partner's key, and of what it asks for (contract, part 10 "Separation"). */

const MAXIMUM = 100_000_000n;
let database: TestDatabase;
let live: Context;
let partner: TestPartner;
let ana: TestPerson;
let ben: TestPerson;
beforeAll(async () => {
  database = await createTestDatabase();
  live = { ...testContext(database.db), mode: "live" };
  partner = await addPartner(database.db);
  [ana, ben] = [await addProvenPerson(database.db, "admin"), await addProvenPerson(database.db, "admin")];
  await addTerms(database.db, { maximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: null });
  await setRate(database.db, "0.0077");
});
afterAll(() => database.close());

const makeKey = (by: By, more: object = {}) =>
  createApiKey(live, { by, mode: "live", partnerId: partner.partnerId, name: "First", ...more });
const rowsOf = async (id: string) => await database.sql`select made_by, signed_management, signed_reads from api_keys where id = ${id}`;
const quote = async (apiKeyId: string) =>
  await createSettlement(live, {
    partnerId: partner.partnerId,
    apiKeyId,
    by: { actor: { type: "api_key", apiKeyId, partnerId: partner.partnerId }, requestId: null },
    sourceAmountMinor: MAXIMUM + 1n,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant",
    chain: TEST_CHAIN.chain,
    walletAddress: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    callbackUrl: "https://partner.example/",
  });
const approve = (by: By, id: string, mode: "live" | "sandbox" = "live") =>
  approveSettlement({ ...live, mode }, { by, id, note: null, expectedExchangeRate: null });

test("an admin's key for a partner works once another admin has confirmed it, and signs its changes", async () => {
  expect(await refusalOf(makeKey(ana.by, { signedManagement: false }))).toBe("forbidden");
  const made = await makeKey(ana.by);
  expect([made.proposalId, await rowsOf(made.id)]).toEqual([expect.stringMatching(/^pr_/), []]);
  expect(await refusalOf(confirmProposal(live, { by: ana.by, id: made.proposalId ?? "" }))).toBe("same_approver");
  const { proposal } = await confirmProposal(live, { by: ben.by, id: made.proposalId ?? "" });
  expect(await rowsOf(made.id)).toEqual([{ made_by: ana.id, signed_management: true, signed_reads: true }]);
  expect(proposal.kind).toBe("partner_key");
});

test("the same goes for an operator's key that makes one; the partner's owner makes one alone, and may have it sign nothing", async () => {
  const robot = await addOperatorKey(database.db, ana.id);
  expect((await makeKey(robot)).proposalId).toMatch(/^pr_/);
  const owner = await addPerson(database.db, "owner", partner.partnerId);
  const own = await makeKey(owner.by, { signedManagement: false });
  expect([own.proposalId, await rowsOf(own.id)]).toEqual([null, [{ made_by: owner.id, signed_management: false, signed_reads: false }]]);
});

test("nobody of the operator's side gets at a partner's secret by rotating its key", async () => {
  const key = await issueKey(live, { partnerId: partner.partnerId });
  const rotation = { id: key.id, mode: "live" as const, overlapSeconds: 0 };
  for (const by of [ana.by, await addOperatorKey(database.db, null)])
    expect(await refusalOf(rotateApiKey(live, { ...rotation, by }))).toBe("forbidden");
  const owner = await addPerson(database.db, "owner", partner.partnerId);
  expect(await refusalOf(rotateApiKey(live, { ...rotation, by: owner.by, partnerId: partner.partnerId }))).toBeNull();
});

test("nor at its callback secret, with which callbacks to the partner could be forged", async () => {
  const { partnerId } = partner;
  const secrets = async () => await database.sql`select id from callback_secrets where partner_id = ${partnerId} order by id`;
  const before = await secrets();
  const rotate = (by: By) => refusalOf(rotateCallbackSecret(live, { by, partnerId, overlapSeconds: 0 }));
  for (const by of [ana.by, await addOperatorKey(database.db, null)]) expect(await rotate(by)).toBe("forbidden");
  expect(await secrets()).toEqual(before);
  expect(await rotate((await addPerson(database.db, "owner", partnerId)).by)).toBeNull();
  expect((await secrets()).length).toBe(before.length + 1);
});

test("who made the key does not approve what it asks for, nor does a key of theirs; another admin does", async () => {
  const made = await makeKey(ana.by);
  await confirmProposal(live, { by: ben.by, id: made.proposalId ?? "" });
  const { id, approvalState } = await quote(made.id);
  expect(approvalState).toBe("pending");
  for (const by of [ana.by, await addOperatorKey(database.db, ana.id)]) expect(await refusalOf(approve(by, id))).toBe("same_person");
  const [row] = await database.sql`select approval_state from settlements where id = ${id}`;
  expect(row?.approval_state).toBe("pending");
  expect(await approve(ben.by, id)).toMatchObject({ approvalState: "approved" });
  expect(await approve(ana.by, (await quote(made.id)).id, "sandbox")).toMatchObject({ approvalState: "approved" });
});

test("an owner whom the operator's side makes, by invitation or role, waits for a second person; one whom an owner makes does not", async () => {
  const invite = (by: TestPerson["by"]) =>
    invitePerson(live, { by, email: `${randomUUID()}@example.com`, role: "owner", partnerId: partner.partnerId });
  const invited = await invite(ana.by);
  expect(invited.proposalId).toMatch(/^pr_/);
  const roleOf = async ({ id }: TestPerson) => (await database.sql`select role from users where id = ${id}`)[0]?.role;
  const staff = await addPerson(database.db, "staff", partner.partnerId);
  const proposalId = await changeRole(live, { by: ana.by, userId: staff.id, role: "owner" });
  expect(await roleOf(staff)).toBe("staff");
  await confirmProposal(live, { by: ben.by, id: proposalId ?? "" });
  expect(await roleOf(staff)).toBe("owner");
  const owner = await addPerson(database.db, "owner", partner.partnerId);
  expect((await invite(owner.by)).proposalId).toBeNull();
  const [open] = await database.sql`select 1 from invitations where id = ${invited.id}`;
  expect(open).toBeUndefined();
  await confirmProposal(live, { by: ben.by, id: invited.proposalId ?? "" });
  const [made] = await database.sql`select role, partner_id from invitations where id = ${invited.id}`;
  expect(made).toEqual({ role: "owner", partner_id: partner.partnerId });
});
