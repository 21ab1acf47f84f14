import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { decimal } from "#domain/decimal.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { confirmBatch } from "#server/services/settlements/batches/confirm-batch.ts";
import { createBatch } from "#server/services/settlements/batches/create-batch.ts";
import { approveBatch } from "#server/services/settlements/batches/decide-batch.ts";
import { withSignatures } from "#server/services/transfers/find-unsigned.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { processOf } from "#testing/database.ts";
import { type DecidingPerson, passkeys } from "#testing/deciding-people.ts";
import { addTerms } from "#testing/factories.ts";
import { MAXIMUM, openSigningStage, type SigningStage } from "#testing/signing-stage.ts";
import { newAddress } from "#testing/transfers.ts";

/** A batch that only its sum brings above the second threshold needs two people, whatever the web process wrote (docs/decisions/batches.md). */

let chain: TestChain;
let stage: SigningStage;
let signer: DecidingPerson;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  stage = await openSigningStage(chain);
  signer = await stage.addSigner();
  const thresholds = { maximumSourceMinor: MAXIMUM, batchMaximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: 3n * MAXIMUM };
  await addTerms(stage.db, { ...thresholds, version: 3, spreadBps: 35 });
});
afterEach(() => stage.close());
afterAll(() => chain.stop());

async function newBatch(count: number) {
  const shared = { externalMerchantId: "merchant-1", sourceCurrency: "KES", destinationCurrency: "USDT", chain: chain.chain };
  const items = Array.from({ length: count }, (_, place) => ({
    ...shared,
    sourceAmountMinor: MAXIMUM,
    walletAddress: newAddress(),
    externalTxId: `ref-${place}`,
    callbackUrl: null,
  }));
  const named = { externalBatchId: "payroll", bodySha256: "0".repeat(64), callbackUrl: "http://localhost:9/b" };
  return (await createBatch(stage.powers, { ...stage.partner, ...named, items })).batch.id;
}

/** A yes with a passkey's signature of the whole batch. */
async function sayYes(by: DecidingPerson, id: string) {
  const command = { id, note: null, expectedTotal: null };
  const { facts } = await stage.askedBy(approveBatch(stage.web(), { ...command, by: by.by }));
  const totals = Object.entries(facts.totals as Record<string, string>);
  const expectedTotal = new Map(totals.map(([currency, amount]) => [currency, decimal(amount)]));
  const asked = stage.askedBy(approveBatch(stage.web(), { ...command, by: by.by, expectedTotal }));
  const signature = await stage.sign(by, await asked);
  return (await approveBatch(stage.web(), { ...command, by: { ...by.by, signature }, expectedTotal })).approvalState;
}

const APPROVED = "approval_state = 'approved', approval_decided_at = now()";
const approveAsWeb = (id: string) =>
  processOf(stage.db, "web").execute(sql.raw(`update settlements set ${APPROVED} where batch_id = '${id}'`));
const confirm = (id: string) => confirmBatch(stage.powers, { ...stage.partner, id, callbackUrl: null, expectedTotal: null });
const paid = async () => (await stage.sql`select state from transfers where state = 'executed'`).length;

async function auditFaults(): Promise<string[]> {
  const { rules } = await auditDatabase({ db: stage.db, passkeys });
  return rules.find(({ rule }) => rule === "approved_by_enough")?.violations.map(({ detail }) => detail) ?? [];
}

describe("a batch that only its sum brings above the second threshold", () => {
  it("is approved by two people, paid, and found whole by the audit", async () => {
    const [other, id] = [await stage.addSigner(), await newBatch(4)];
    expect([await sayYes(signer, id), await sayYes(other, id)]).toEqual(["pending", "approved"]);
    await confirm(id);
    await stage.runAll();
    expect([await paid(), await listOpenHalts(stage.ctx), await auditFaults()]).toEqual([4, [], []]);
    expect((await stage.brokenSignatures()).faults).toEqual([]);
  });

  it("is not approved in the database by one person's yes, as the web's role", async () => {
    const id = await newBatch(4);
    expect(await sayYes(signer, id)).toBe("pending");
    await expect(approveAsWeb(id)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/asks for 2 approvals, and it has 1/) },
    });
    expect(await stage.sql`select distinct approval_state as state from settlements`).toEqual([{ state: "pending" }]);
  });

  it("is not signed with one person's signature where the rows say that it is approved, and the audit reports each item", async () => {
    const id = await newBatch(4);
    await sayYes(signer, id);
    await stage.tamper(`update settlements set ${APPROVED} where batch_id = '${id}'`);
    await confirm(id);
    await stage.runAll();
    expect([await paid(), await stage.sql`select 1 from transaction_attempts`]).toEqual([0, []]);
    const [halt] = await listOpenHalts(stage.ctx);
    expect([halt?.cause, halt?.detail]).toEqual(["unowed_payment", expect.stringMatching(/It has 1 approvals of 2/)]);
    expect(await auditFaults()).toEqual(Array(4).fill("is approved with 1 approvals of 2"));
    // A second row of an approval changes nothing: the passkey of one person has signed.
    const decider = `'user', gen_random_uuid(), business_now(), partner_id from settlements`;
    await stage.tamper(
      `insert into settlement_approvals (settlement_id, decider_type, decider_id, approved_at, partner_id) select id, ${decider}`,
    );
    const [row] = await stage.sql<{ id: string }[]>`select id from transfers limit 1`;
    const [transfer, known] = [await findTransfer(stage.db, row?.id ?? ""), stage.ctx.evm.find(chain.chain)];
    if (transfer === null || known === null) throw new Error("nothing is owed");
    const found = await withSignatures(stage.web(), async () => new Map())(stage.db, [transfer], known);
    expect([...found.values()]).toEqual(["Passkeys of 1 of 2 people have signed its approval."]);
  });

  it("needs one person up to the threshold", async () => {
    const id = await newBatch(3);
    expect(await sayYes(signer, id)).toBe("approved");
    await confirm(id);
    await stage.runAll();
    expect([await paid(), await auditFaults()]).toEqual([3, []]);
  });

  /** New terms, and a quote under them for each item. */
  async function quoteAgain(thresholds: Parameters<typeof addTerms>[1]) {
    const terms = await addTerms(stage.db, { version: 4, spreadBps: 35, ...thresholds });
    await stage.tamper(`
      insert into settlement_quotes select (jsonb_populate_record(q, '{"version": 2, "pair_terms_id": "${terms}"}')).* from settlement_quotes q;
      update settlements set quote_version = 2, pair_terms_id = '${terms}'`);
  }

  it("needs two people, too, once it was quoted again under stricter terms", async () => {
    const id = await newBatch(3);
    await quoteAgain({ maximumSourceMinor: MAXIMUM, batchMaximumSourceMinor: MAXIMUM, twoApprovalsAboveMinor: 2n * MAXIMUM });
    expect(await sayYes(signer, id)).toBe("pending");
  });

  it("keeps the threshold of its first quotes under milder terms, and counts the items of a pair alone", async () => {
    const id = await newBatch(4);
    await quoteAgain({ maximumSourceMinor: 9n * MAXIMUM });
    expect(await sayYes(signer, id)).toBe("pending");
    // Where half of it is of another pair, neither sum is above.
    await stage.tamper(`update settlements set source_currency = 'UGX' where id in (select id from settlements order by id limit 2)`);
    await approveAsWeb(id);
    expect(await stage.sql`select distinct approval_state as state from settlements`).toEqual([{ state: "approved" }]);
  });
});

it("a settlement above the second threshold by itself, and one without any approval, are not approved in the database either", async () => {
  const { id } = await stage.newQuote(4n * MAXIMUM);
  const approve = (what: string) => processOf(stage.db, "web").execute(sql.raw(`update settlements set ${APPROVED} where id = '${what}'`));
  await stage.signAndApprove(signer, id);
  await expect(approve(id)).rejects.toMatchObject({ cause: { message: expect.stringMatching(/asks for 2 approvals, and it has 1/) } });
  const unseen = (await stage.newQuote()).id;
  await expect(approve(unseen)).rejects.toMatchObject({ cause: { message: expect.stringMatching(/asks for 1 approvals, and it has 0/) } });
});
