import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import { passkeyFingerprint } from "#domain/passkey.ts";
import type { Check, Finding } from "#domain/payment-check.ts";
import type { Transfer } from "#domain/transfer.ts";
import { createPasskeys } from "#server/adapters/passkeys.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { releasePayment } from "#server/services/holds/decide-hold.ts";
import { keepVerdicts } from "#server/services/holds/keep-verdicts.ts";
import { listOperatorPasskeys } from "#server/services/people/second-factor/list-operator-passkeys.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { listProposals } from "#server/services/proposal-decisions/kinds.ts";
import { findUnowed } from "#server/services/transfers/find-unowed.ts";
import { withSignatures } from "#server/services/transfers/find-unsigned.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import { ORIGIN } from "#testing/deciding-people.ts";
import { addProvenPerson } from "#testing/people.ts";
import { MAXIMUM, openSigningStage, type SigningStage } from "#testing/signing-stage.ts";

/** In live mode a held payment is paid only once a second person's passkey has signed its release from exactly these holds. */

let chain: TestChain;
let stage: SigningStage;
let worker: ReturnType<SigningStage["newTransfers"]>;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  trusted.clear();
  stage = await openSigningStage(chain);
  const signers = stage.signersOf({ findUnowed: withSignatures(live(), findUnowed) });
  worker = stage.newTransfers({ ctx: { ...stage.ctx, db: processOf(stage.db, "worker"), signers } });
});
afterEach(() => stage.close());
afterAll(() => chain.stop());

const trusted = new Set<string>();
const live = () => ({
  ...stage.powers,
  ...stage.web(),
  passkeys: createPasskeys({ baseUrl: ORIGIN, brand: "Service", trustedPasskeys: trusted }),
  mode: "live" as const,
});

/** The payment of a confirmed settlement that no person need approve. */
async function owed(): Promise<Transfer> {
  const { id } = await stage.newQuote(MAXIMUM);
  await stage.confirm(stage.partner, id);
  const [row] = await stage.sql<{ id: string }[]>`select id from transfers where owner_id = ${id}`;
  return await stage.transfer(row?.id ?? "");
}
async function hold(payment: Transfer, check: Check): Promise<void> {
  const finding: Finding = { key: check, version: "1", outcome: "hold", dryRun: false, words: `Held by ${check}.`, facts: {} };
  const verdicts = [{ check, stage: "confirm" as const, findings: [finding] }];
  await stage.db.transaction(async (tx) =>
    keepVerdicts(tx, [{ ...payment, verdicts, holds: await listHoldsOf(tx, [payment.ownerId]) }], new Date()),
  );
}
/** As the web's log-in can write it. */
async function forgeRelease({ id, ownerId }: Transfer): Promise<void> {
  await stage.sql`update payment_holds set outcome = 'released', decided_at = now(), decider_type = 'user', decider_id = gen_random_uuid(),
    decider_name = 'Ana', decision_reason = 'Looked into.' where owner_id = ${ownerId} and outcome = 'open'`;
  await stage.sql`update transfers set waiting_kind = null, waiting_since = null, waiting_reason = null, rest_until = null, lease_until = null,
    lease_token = null where id = ${id}`;
}
/** Proposed by one admin, and confirmed by the passkey of another. */
async function release(payment: Transfer): Promise<void> {
  const [proposer, signer] = [await addProvenPerson(stage.db, "admin"), await stage.addSigner()];
  await stage.tamper("update passkey_keys set registered_at = registered_at - interval '2 days'");
  const { purpose, ownerId } = payment;
  await releasePayment(live(), { by: proposer.by, purpose, ownerId, reason: "Looked into." });
  const [{ id } = { id: "" }] = (await listProposals(live())).open;
  const decision = await stage.askedBy(confirmProposal(live(), { by: signer.by, id }));
  await confirmProposal(live(), { by: { ...signer.by, signature: await stage.sign(signer, decision) }, id });
}
async function isPaid({ id }: Transfer): Promise<boolean> {
  await stage.run(worker, [id], 6);
  return (await stage.transfer(id)).state === "executed";
}
const halts = async () => (await listOpenHalts(stage.ctx)).map(({ cause, detail }) => `${cause}: ${detail}`);

it("pays what a passkey has released", async () => {
  const payment = await owed();
  await hold(payment, "limit");
  expect(await isPaid(payment)).toBe(false);
  await release(payment);
  expect([await isPaid(payment), await halts()]).toEqual([true, []]);
});

it("pays nothing that only rows have released, and halts the chain", async () => {
  const payment = await owed();
  await hold(payment, "screening");
  await forgeRelease(payment);
  expect(await isPaid(payment)).toBe(false);
  expect(await halts()).toEqual([expect.stringMatching(/^unowed_payment: .*No passkey has signed its release from a hold\.$/)]);
});

it("is not released by the passkey of a partner's person", async () => {
  const payment = await owed();
  await hold(payment, "limit");
  await release(payment);
  await stage.tamper(
    `update users set role = 'owner', partner_id = '${stage.partner.partnerId}' where id in (select user_id from decision_signatures)`,
  );
  expect(await isPaid(payment)).toBe(false);
  expect(await halts()).toEqual([expect.stringContaining("no such passkey of that person was ever registered")]);
});

it("is released by no passkey but those that the signer's settings trust, and by those", async () => {
  const [one, other] = [await owed(), await owed()];
  for (const payment of [one, other]) await hold(payment, "screening");
  await release(one);
  const [signer] = await stage.sql<{ id: string; key: string }[]>`select user_id as id, public_key as key from passkey_keys`;
  trusted.add(passkeyFingerprint(signer?.id ?? "", signer?.key ?? ""));
  expect((await listOperatorPasskeys(stage.ctx)).map(({ fingerprint }) => fingerprint)).toEqual([...trusted]);
  expect([await isPaid(one), await halts()]).toEqual([true, []]);
  await release(other);
  expect([await isPaid(other), await halts()]).toEqual([
    false,
    [expect.stringContaining("the signer's settings do not trust its passkey")],
  ]);
});

it("is released from the holds that the signature names, and from no other", async () => {
  const payment = await owed();
  await hold(payment, "limit");
  await release(payment);
  await hold(payment, "screening");
  await forgeRelease(payment);
  expect(await isPaid(payment)).toBe(false);
  expect(await halts()).toEqual([expect.stringContaining("No passkey has signed its release from a hold")]);
});

it("is not released by the signature for another payment", async () => {
  const [one, other] = [await owed(), await owed()];
  for (const each of [one, other]) await hold(each, "limit");
  await release(one);
  await forgeRelease(other);
  await stage.tamper(`update proposals set subject = '${other.id}'`);
  expect(await isPaid(other)).toBe(false);
  expect(await halts()).toEqual([expect.stringContaining("it is over another payment")]);
});
