import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ALL_SIGNED, readThresholds } from "#domain/signed-approval.ts";
import { isRecordOf, readRecord } from "#domain/signed-decision.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { askSignature, readSignature } from "#server/services/people/second-factor/passkey-proof.ts";
import { listPasskeys, removePasskey } from "#server/services/people/second-factor/passkeys.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import { type DecidingPerson, ORIGIN } from "#testing/deciding-people.ts";
import { addOperatorKey, addProvenPerson, refusalOf } from "#testing/people.ts";
import { MAXIMUM, openSigningStage, type SigningStage } from "#testing/signing-stage.ts";
import { newAddress } from "#testing/transfers.ts";

/** An approval above the threshold pays only when passkeys have signed exactly that settlement (docs/decisions/signed-decisions.md). */

let chain: TestChain;
let stage: SigningStage;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  stage = await openSigningStage(chain);
});
afterEach(() => stage.close());
afterAll(() => chain.stop());

it("the approval of items that only their sum brings above the threshold pays nothing without a signature", async () => {
  stage.settings.thresholds = readThresholds("KES=1500") ?? ALL_SIGNED;
  const admin = await addProvenPerson(stage.db, "admin");
  const [one, other, alone] = [await stage.newQuote(), await stage.newQuote(), await stage.newQuote()];
  for (const { id } of [one, other, alone]) {
    await stage.approve(admin.by, id);
    await stage.confirm(stage.partner, id);
  }
  // As a flaw in the service would leave a batch that nobody signed.
  await stage.tamper(`update settlements set batch_id = 'sb_1' where id in ('${one.id}', '${other.id}')`);
  const rows = await stage.sql<
    { id: string; owner: string }[]
  >`select id, owner_id as owner from transfers order by owner_id = ${alone.id} desc`;
  await stage.run(stage.worker(), [rows[0]?.id ?? ""], 6);
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
    const signer = await stage.addSigner();
    const { id, walletAddress } = await stage.newQuote();
    const decision = await stage.decisionOf(signer, id);
    expect(decision).toMatchObject({ action: "settlement.approve", subject: id });
    expect(decision.facts).toMatchObject({ recipient: walletAddress, source_amount: "1000.01", source_currency: "KES", price_version: 2 });
    expect(await stage.kept()).toEqual([]);
    const signature = await stage.sign(signer, decision);
    expect(isRecordOf(signature.record, decision)).toBe(true);
    expect(readRecord(signature.record)).toMatchObject({ version: 1, person: signer.id, origin: ORIGIN });
    expect(await stage.approve({ ...signer.by, signature }, id)).toMatchObject({ approvalState: "approved" });
    expect(await stage.kept()).toEqual([{ object_id: id, user_id: signer.id }]);
    expect(await stage.paid(id)).toBe(true);
    // Also after the passkey was removed.
    const [key] = await listPasskeys(stage.web(), signer.id);
    await removePasskey({ ...stage.web(), entryRules: { requireTotpForDeciders: false } }, { by: signer.by, id: key?.id ?? "" });
    expect(await stage.brokenSignatures()).toEqual({ checked: 1, faults: [] });
  });

  it("is refused to a key, to a person without a passkey, and without a signature; nothing is stored", async () => {
    const [person, signer] = [await addProvenPerson(stage.db, "admin"), await stage.addSigner()];
    const { id } = await stage.newQuote();
    for (const by of [await addOperatorKey(stage.db, null), person.by, signer.by])
      expect(await refusalOf(stage.approve(by, id))).toBe("passkey_required");
    const who = { userId: person.id, sessionId: randomUUID() };
    const asked = askSignature(stage.web(), who, { decision: await stage.decisionOf(signer, id), origin: ORIGIN });
    expect(await refusalOf(asked)).toBe("passkey_required");
    expect([await stage.kept(), await stage.sql`select approval_state from settlements where id = ${id}`]).toEqual([
      [],
      [{ approval_state: "pending" }],
    ]);
    stage.settings.thresholds = readThresholds("KES=1000.01") ?? ALL_SIGNED;
    expect(await stage.approve(person.by, id)).toMatchObject({ approvalState: "approved" });
    expect(await refusalOf(stage.approve(person.by, (await stage.newQuote(MAXIMUM + 2n)).id))).toBe("passkey_required");
  });

  it("takes a signature of exactly this, by this person, in this session, once", async () => {
    const [signer, other] = [await stage.addSigner(), await stage.addSigner()];
    const [one, two] = [await stage.newQuote(), await stage.newQuote()];
    const decision = await stage.decisionOf(signer, one.id);
    const signature = await stage.sign(signer, decision);
    expect(await refusalOf(stage.approve({ ...signer.by, signature }, two.id))).toBe("passkey_required");
    expect(await refusalOf(stage.approve({ ...other.by, signature }, one.id))).toBe("passkey_required");
    const asked = await askSignature(stage.web(), { userId: signer.id, sessionId: signer.sessionId }, { decision, origin: ORIGIN });
    const answer = { ticket: asked.ticket, answer: signer.device.get(asked.options) };
    for (const who of [
      { userId: signer.id, sessionId: other.sessionId },
      { userId: other.id, sessionId: other.sessionId },
    ])
      expect(await refusalOf(readSignature(stage.web(), who, answer))).toBe("passkey_required");
    const own = { userId: signer.id, sessionId: signer.sessionId };
    const late = { ...stage.web(), clock: { now: () => new Date(Date.now() + 2 * 60_000 + 1) } };
    expect(await refusalOf(readSignature(late, own, answer))).toBe("passkey_required");
    const both = await Promise.all([1, 2].map(() => refusalOf(readSignature(stage.web(), own, answer))));
    expect(both.toSorted()).toEqual([null, "passkey_required"].toSorted());
    for (const lies of [{ origin: "https://evil.example" }, { rpId: "evil.example" }, { verifies: false }])
      expect(await refusalOf(stage.sign(signer, decision, lies))).toBe("passkey_required");
    expect(await stage.approve({ ...signer.by, signature }, one.id)).toMatchObject({ approvalState: "approved" });
    expect(await stage.kept()).toEqual([{ object_id: one.id, user_id: signer.id }]);
  });

  it("takes two signatures where two people must approve", async () => {
    const [first, second] = [await stage.addSigner(), await stage.addSigner()];
    const { id } = await stage.newQuote(10n * MAXIMUM + 1n);
    expect(await stage.signAndApprove(first, id)).toMatchObject({ approvalState: "pending" });
    expect(await stage.signAndApprove(second, id)).toMatchObject({ approvalState: "approved" });
    expect(await stage.paid(id)).toBe(true);
    expect(await stage.brokenSignatures()).toEqual({ checked: 2, faults: [] });
  });
});

describe("rows that somebody wrote into the database", () => {
  const forged: [string, (signer: DecidingPerson, id: string) => Promise<unknown>][] = [
    ["an approval that nobody signed", async () => await stage.tamper("delete from decision_signatures")],
    [
      "a record that was changed",
      async () => await stage.tamper(`update decision_signatures set record = replace(record, '1000.01', '9000.01')`),
    ],
    [
      "a signature of another person",
      async () => await stage.tamper(`update decision_signatures set user_id = (select id from users where id <> user_id limit 1)`),
    ],
    [
      "another recipient",
      async () =>
        await stage.tamper(
          `update settlements set wallet_address = '${newAddress()}'; update transfers set recipient = (select wallet_address from settlements where id = owner_id)`,
        ),
    ],
    [
      "a key that the register does not have for its person",
      async (signer) =>
        await stage.tamper(
          `update passkey_keys set public_key = (select public_key from passkey_keys where user_id <> '${signer.id}' limit 1) where user_id = '${signer.id}'`,
        ),
    ],
    [
      "an approval that was taken away from its signer",
      async () => await stage.tamper("update settlement_approvals set decider_id = gen_random_uuid()"),
    ],
  ];
  it.each(forged)("%s: nothing is paid, and the chain halts", async (_, forge) => {
    const [signer] = [await stage.addSigner(), await stage.addSigner()];
    const { id } = await stage.newQuote();
    await stage.signAndApprove(signer, id);
    await forge(signer, id);
    expect(await stage.paid(id)).toBe(false);
    expect(await listOpenHalts(stage.ctx)).toMatchObject([{ cause: "unowed_payment", scope: { kind: "chain" } }]);
    expect(Number((await stage.sql`select count(*)::int as count from transaction_attempts`)[0]?.count)).toBe(0);
  });

  it("is found by the audit: a changed record, a decision that is gone, a settlement that is another", async () => {
    const signer = await stage.addSigner();
    const { id } = await stage.newQuote();
    await stage.signAndApprove(signer, id);
    await stage.tamper("delete from settlement_approvals");
    await stage.tamper(`update settlements set wallet_address = '${newAddress()}'`);
    expect((await stage.brokenSignatures()).faults).toEqual([
      "the person's decision is not stored",
      "the settlement is not what was signed",
    ]);
    await stage.tamper(`update decision_signatures set record = replace(record, '1000.01', '9000.01')`);
    expect((await stage.brokenSignatures()).faults).toEqual(["the passkey did not sign its record"]);
  });

  it("the web's role neither changes a signature nor registers a key", async () => {
    const signer = await stage.addSigner();
    await stage.signAndApprove(signer, (await stage.newQuote()).id);
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
