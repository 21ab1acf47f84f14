import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "#db/client.ts";
import type { By } from "#domain/access.ts";
import { isRefusal } from "#domain/refusal.ts";
import { ALL_SIGNED, readThresholds } from "#domain/signed-approval.ts";
import { type Decision, isRecordOf, readRecord } from "#domain/signed-decision.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { askSignature, readSignature } from "#server/services/people/second-factor/passkey-proof.ts";
import { listPasskeys, removePasskey } from "#server/services/people/second-factor/passkeys.ts";
import { approveSettlement } from "#server/services/settlements/approve-settlement.ts";
import { findUnowed } from "#server/services/transfers/find-unowed.ts";
import { withSignatures } from "#server/services/transfers/find-unsigned.ts";
import type { Lies } from "#testing/authenticator.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import { addDecidingPerson, type DecidingPerson, ORIGIN, passkeys, signDecision } from "#testing/deciding-people.ts";
import { addTerms, type TestPartner } from "#testing/factories.ts";
import { type MoneyStage, openMoneyStage } from "#testing/money-stage.ts";
import { addOperatorKey, addProvenPerson, refusalOf, type TestPerson } from "#testing/people.ts";
import { newAddress } from "#testing/transfers.ts";

/** An approval above the threshold pays only when passkeys have signed exactly that settlement (docs/decisions/signed-decisions.md). */

const MAXIMUM = 100_000n;
let chain: TestChain;
let stage: MoneyStage;
let partner: TestPartner;
let thresholds = ALL_SIGNED;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  thresholds = ALL_SIGNED;
  stage = await openMoneyStage(chain, { partners: 1 });
  [partner] = stage.partners as [TestPartner];
  await addTerms(stage.db, { version: 2, spreadBps: 35, maximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: 10n * MAXIMUM });
});
afterEach(() => stage.close());
afterAll(() => chain.stop());

const clock = { now: () => new Date() };
const web = () => {
  const policy = { driftToleranceBps: 10, signedApprovals: thresholds };
  return { db: stage.db, clock, chains: stage.ctx.evm, mode: "sandbox" as const, passkeys, policy };
};
/** The worker as it is wired. */
const worker = () => {
  const powers = web();
  const signers = stage.signersOf({ findUnowed: withSignatures(powers, findUnowed) });
  return stage.newTransfers({ ctx: { ...stage.ctx, db: processOf(stage.db, "worker"), signers } });
};
const addSigner = () => addDecidingPerson(stage.db);
const quote = async (amountMinor = MAXIMUM + 1n) => await stage.quote(partner, { amountMinor, wallet: newAddress() });
const approve = (by: By, id: string) => approveSettlement(web(), { by, id, note: null, expectedExchangeRate: null });
/** The decision that the refusal of an unsigned approval asks for. */
async function decisionOf(signer: TestPerson, id: string): Promise<Decision> {
  const refusal = await approve(signer.by, id).catch((error: unknown) => error);
  if (!isRefusal(refusal) || refusal.particulars.decision === undefined)
    throw new Error("nothing was asked to be signed", { cause: refusal });
  return refusal.particulars.decision;
}
const sign = (signer: DecidingPerson, decision: Decision, lies: Lies = {}) => signDecision(stage.db, signer, decision, { lies });
async function signAndApprove(signer: DecidingPerson, id: string) {
  const signature = await sign(signer, await decisionOf(signer, id));
  return await approve({ ...signer.by, signature }, id);
}
/** As somebody who owns the database, and takes its triggers away. */
async function tamper(statement: string): Promise<void> {
  const tables = ["settlement_approvals", "decision_signatures", "passkey_keys", "settlements", "transfers"];
  const owner = openDatabase({ url: stage.url, applicationName: "owner", maxConnections: 1 });
  await owner.sql.begin(async (tx) => {
    for (const table of tables) await tx.unsafe(`alter table ${table} disable trigger user`);
    await tx.unsafe(statement);
    for (const table of tables) await tx.unsafe(`alter table ${table} enable trigger user`);
  });
  await owner.close();
}
async function paid(id: string): Promise<boolean> {
  await stage.confirm(partner, id);
  const [row] = await stage.sql<{ id: string }[]>`select id from transfers where owner_id = ${id}`;
  await stage.run(worker(), [row?.id ?? ""], 6);
  const [{ state } = { state: null }] = await stage.sql<{ state: string }[]>`select state from transfers where owner_id = ${id}`;
  return state === "executed";
}
const kept = async () => await stage.sql`select object_id, user_id from decision_signatures`;
const brokenSignatures = async () => {
  const { rules } = await auditDatabase({ db: stage.db, passkeys });
  const rule = rules.find(({ rule: name }) => name === "decisions_are_signed");
  return { checked: rule?.checked, faults: rule?.violations.map(({ detail }) => detail) };
};

it("the approval of items that only their sum brings above the threshold pays nothing without a signature", async () => {
  thresholds = readThresholds("KES=1500") ?? ALL_SIGNED;
  const admin = await addProvenPerson(stage.db, "admin");
  const [one, other, alone] = [await quote(), await quote(), await quote()];
  for (const { id } of [one, other, alone]) {
    await approve(admin.by, id);
    await stage.confirm(partner, id);
  }
  // As a flaw in the service would leave a batch that nobody signed.
  await tamper(`update settlements set batch_id = 'sb_1' where id in ('${one.id}', '${other.id}')`);
  const rows = await stage.sql<
    { id: string; owner: string }[]
  >`select id, owner_id as owner from transfers order by owner_id = ${alone.id} desc`;
  await stage.run(worker(), [rows[0]?.id ?? ""], 6);
  const states = await stage.sql<
    { owner: string; state: string }[]
  >`select owner_id as owner, state from transfers where state = 'executed'`;
  expect(states.map(({ owner }) => owner).filter((owner) => owner !== alone.id)).toEqual([]);
  expect((await listOpenHalts(stage.ctx)).map(({ cause, detail }) => [cause, detail])).toEqual([
    ["unowed_payment", expect.stringContaining("Passkeys of 0 of 1 people have signed its approval")],
  ]);
});

describe("an approval above the threshold", () => {
  it("is asked for as what the screen shows, is signed, stored with the decision, paid, and verified by the audit", async () => {
    const signer = await addSigner();
    const { id, walletAddress } = await quote();
    const decision = await decisionOf(signer, id);
    expect(decision).toMatchObject({ action: "settlement.approve", subject: id });
    expect(decision.facts).toMatchObject({ recipient: walletAddress, source_amount: "1000.01", source_currency: "KES", price_version: 2 });
    expect(await kept()).toEqual([]);
    const signature = await sign(signer, decision);
    expect(isRecordOf(signature.record, decision)).toBe(true);
    expect(readRecord(signature.record)).toMatchObject({ version: 1, person: signer.id, origin: ORIGIN });
    expect(await approve({ ...signer.by, signature }, id)).toMatchObject({ approvalState: "approved" });
    expect(await kept()).toEqual([{ object_id: id, user_id: signer.id }]);
    expect(await paid(id)).toBe(true);
    // Also after the passkey was removed.
    const [key] = await listPasskeys(web(), signer.id);
    await removePasskey({ ...web(), entryRules: { requireTotpForDeciders: false } }, { by: signer.by, id: key?.id ?? "" });
    expect(await brokenSignatures()).toEqual({ checked: 1, faults: [] });
  });

  it("is refused to a key, to a person without a passkey, and without a signature; nothing is stored", async () => {
    const [person, signer] = [await addProvenPerson(stage.db, "admin"), await addSigner()];
    const { id } = await quote();
    for (const by of [await addOperatorKey(stage.db, null), person.by, signer.by])
      expect(await refusalOf(approve(by, id))).toBe("passkey_required");
    const who = { userId: person.id, sessionId: randomUUID() };
    const asked = askSignature(web(), who, { decision: await decisionOf(signer, id), origin: ORIGIN });
    expect(await refusalOf(asked)).toBe("passkey_required");
    expect([await kept(), await stage.sql`select approval_state from settlements where id = ${id}`]).toEqual([
      [],
      [{ approval_state: "pending" }],
    ]);
    thresholds = readThresholds("KES=1000.01") ?? ALL_SIGNED;
    expect(await approve(person.by, id)).toMatchObject({ approvalState: "approved" });
    expect(await refusalOf(approve(person.by, (await quote(MAXIMUM + 2n)).id))).toBe("passkey_required");
  });

  it("takes a signature of exactly this, by this person, in this session, once", async () => {
    const [signer, other] = [await addSigner(), await addSigner()];
    const [one, two] = [await quote(), await quote()];
    const decision = await decisionOf(signer, one.id);
    const signature = await sign(signer, decision);
    expect(await refusalOf(approve({ ...signer.by, signature }, two.id))).toBe("passkey_required");
    expect(await refusalOf(approve({ ...other.by, signature }, one.id))).toBe("passkey_required");
    const asked = await askSignature(web(), { userId: signer.id, sessionId: signer.sessionId }, { decision, origin: ORIGIN });
    const answer = { ticket: asked.ticket, answer: signer.device.get(asked.options) };
    for (const who of [
      { userId: signer.id, sessionId: other.sessionId },
      { userId: other.id, sessionId: other.sessionId },
    ])
      expect(await refusalOf(readSignature(web(), who, answer))).toBe("passkey_required");
    const own = { userId: signer.id, sessionId: signer.sessionId };
    const late = { ...web(), clock: { now: () => new Date(Date.now() + 2 * 60_000 + 1) } };
    expect(await refusalOf(readSignature(late, own, answer))).toBe("passkey_required");
    const both = await Promise.all([1, 2].map(() => refusalOf(readSignature(web(), own, answer))));
    expect(both.toSorted()).toEqual([null, "passkey_required"].toSorted());
    for (const lies of [{ origin: "https://evil.example" }, { rpId: "evil.example" }, { verifies: false }])
      expect(await refusalOf(sign(signer, decision, lies))).toBe("passkey_required");
    expect(await approve({ ...signer.by, signature }, one.id)).toMatchObject({ approvalState: "approved" });
    expect(await kept()).toEqual([{ object_id: one.id, user_id: signer.id }]);
  });

  it("takes two signatures where two people must approve", async () => {
    const [first, second] = [await addSigner(), await addSigner()];
    const { id } = await quote(10n * MAXIMUM + 1n);
    expect(await signAndApprove(first, id)).toMatchObject({ approvalState: "pending" });
    expect(await signAndApprove(second, id)).toMatchObject({ approvalState: "approved" });
    expect(await paid(id)).toBe(true);
    expect(await brokenSignatures()).toEqual({ checked: 2, faults: [] });
  });
});

describe("rows that somebody wrote into the database", () => {
  const forged: [string, (signer: DecidingPerson, id: string) => Promise<unknown>][] = [
    ["an approval that nobody signed", async () => await tamper("delete from decision_signatures")],
    [
      "a record that was changed",
      async () => await tamper(`update decision_signatures set record = replace(record, '1000.01', '9000.01')`),
    ],
    [
      "a signature of another person",
      async () => await tamper(`update decision_signatures set user_id = (select id from users where id <> user_id limit 1)`),
    ],
    [
      "another recipient",
      async () =>
        await tamper(
          `update settlements set wallet_address = '${newAddress()}'; update transfers set recipient = (select wallet_address from settlements where id = owner_id)`,
        ),
    ],
    [
      "a key that the register does not have for its person",
      async (signer) =>
        await tamper(
          `update passkey_keys set public_key = (select public_key from passkey_keys where user_id <> '${signer.id}' limit 1) where user_id = '${signer.id}'`,
        ),
    ],
    [
      "an approval that was taken away from its signer",
      async () => await tamper("update settlement_approvals set decider_id = gen_random_uuid()"),
    ],
  ];
  it.each(forged)("%s: nothing is paid, and the chain halts", async (_, forge) => {
    const [signer] = [await addSigner(), await addSigner()];
    const { id } = await quote();
    await signAndApprove(signer, id);
    await forge(signer, id);
    expect(await paid(id)).toBe(false);
    expect(await listOpenHalts(stage.ctx)).toMatchObject([{ cause: "unowed_payment", scope: { kind: "chain" } }]);
    expect(Number((await stage.sql`select count(*)::int as count from transaction_attempts`)[0]?.count)).toBe(0);
  });

  it("is found by the audit: a changed record, a decision that is gone, a settlement that is another", async () => {
    const signer = await addSigner();
    const { id } = await quote();
    await signAndApprove(signer, id);
    await tamper("delete from settlement_approvals");
    await tamper(`update settlements set wallet_address = '${newAddress()}'`);
    expect((await brokenSignatures()).faults).toEqual(["the person's decision is not stored", "the settlement is not what was signed"]);
    await tamper(`update decision_signatures set record = replace(record, '1000.01', '9000.01')`);
    expect((await brokenSignatures()).faults).toEqual(["the passkey did not sign its record"]);
  });

  it("the web's role neither changes a signature nor registers a key", async () => {
    const signer = await addSigner();
    await signAndApprove(signer, (await quote()).id);
    const asWeb = processOf(stage.db, "web");
    for (const statement of [
      "update decision_signatures set object_id = 'x'",
      "delete from decision_signatures",
      "delete from passkey_keys",
      "update passkey_keys set registered_at = now() - interval '9 days'",
      "insert into passkey_keys select 'x', id, 'x', 'x', now() from users limit 1",
    ])
      await expect(asWeb.execute(sql.raw(statement))).rejects.toMatchObject({ cause: { code: "42501" } });
  });
});
