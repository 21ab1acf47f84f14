import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findTransfer } from "#db/queries/transfers/transfers.ts";
import { type Decimal, decimal, formatDecimal } from "#domain/decimal.ts";
import { readThresholds } from "#domain/signed-approval.ts";
import { readRecord } from "#domain/signed-decision.ts";
import { listOpenHalts } from "#server/services/halts/halt-scope.ts";
import { approveSettlements } from "#server/services/settlements/approve-settlements.ts";
import { confirmBatch } from "#server/services/settlements/batches/confirm-batch.ts";
import { createBatch } from "#server/services/settlements/batches/create-batch.ts";
import { approveBatch } from "#server/services/settlements/batches/decide-batch.ts";
import { withSignatures } from "#server/services/transfers/find-unsigned.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import type { DecidingPerson } from "#testing/deciding-people.ts";
import { setRate } from "#testing/factories.ts";
import { addProvenPerson, refusalOf } from "#testing/people.ts";
import { MAXIMUM, openSigningStage, type SigningStage } from "#testing/signing-stage.ts";
import { newAddress } from "#testing/transfers.ts";

/** One signature over many settlements covers each of them as it was shown: recipient, amount, price (docs/decisions/signed-decisions.md). */

let chain: TestChain;
let stage: SigningStage;
let signer: DecidingPerson;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  stage = await openSigningStage(chain);
  signer = await stage.addSigner();
});
afterEach(() => stage.close());
afterAll(() => chain.stop());

const RATE = "0.0077";
/** The proposed rate: the market's, less the spread. */
const seenRate = async (): Promise<Decimal> => {
  const facts = (await stage.decisionOf(signer, (await stage.newQuote()).id)).facts;
  return decimal(String(facts.exchange_rate));
};
const states = async () =>
  (await stage.sql`select id, approval_state from settlements order by created_at, id`).map((row) => row.approval_state);
/** The states of the payments of settlements. */
const settled = async () => (await stage.sql`select state from transfers where purpose = 'settlement'`).map((row) => row.state);
/** What the signature of its approval lacks, with nothing else judged. */
async function signatureFaults(id: string): Promise<string[]> {
  const [row] = await stage.sql<{ id: string }[]>`select id from transfers where owner_id = ${id}`;
  const transfer = await findTransfer(stage.db, row?.id ?? "");
  if (transfer === null) throw new Error(`nothing is owed for ${id}`);
  const known = stage.ctx.evm.find(chain.chain);
  if (known === null) throw new Error("the chain is not configured");
  const found = await withSignatures(stage.web(), async () => new Map())(stage.db, [transfer], known);
  return [...found.values()];
}

describe("many settlements approved together", () => {
  const approveAll = async (by: DecidingPerson["by"], ids: readonly string[], rate: Decimal) =>
    await approveSettlements(stage.web(), { by, items: ids.map((id) => ({ id, expectedExchangeRate: rate })) });

  it("are signed once, with recipient, amount and price of each; each keeps the signature, is paid, and is verified by the audit", async () => {
    const rate = await seenRate();
    const quotes = [await stage.newQuote(), await stage.newQuote(MAXIMUM + 500n)];
    const ids = quotes.map(({ id }) => id);
    const large = await stage.newQuote(10n * MAXIMUM + 1n);
    const decision = await stage.askedBy(approveAll(signer.by, [...ids, large.id], rate));
    expect(decision.action).toBe("settlements.approve");
    expect(decision.facts).toMatchObject({
      count: 2,
      items: quotes.map(({ id, walletAddress }, index) => ({
        settlement: id,
        recipient: walletAddress,
        source_amount: index === 0 ? "1000.01" : "1005.00",
        exchange_rate: formatDecimal(rate),
        price_version: 2,
      })),
    });
    expect([await stage.kept(), await states()]).toEqual([[], ["pending", "pending", "pending", "pending"]]);
    const signature = await stage.sign(signer, decision);
    const outcomes = await approveAll({ ...signer.by, signature }, [...ids, large.id], rate);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["approved", "approved", "needs_two"]);
    expect((await stage.kept()).map((row) => row.object_id).toSorted()).toEqual(ids.toSorted());
    for (const id of ids) await stage.confirm(stage.partner, id);
    await stage.runAll();
    expect(await settled()).toEqual(["executed", "executed"]);
    expect(await stage.brokenSignatures()).toEqual({ checked: 2, faults: [] });
  });

  it("are refused one by one where the amount, the recipient or the price is no longer what was signed; the others are approved", async () => {
    const rate = await seenRate();
    const quotes = [await stage.newQuote(), await stage.newQuote(), await stage.newQuote(), await stage.newQuote(), await stage.newQuote()];
    const [kept, amount, recipient, price, unsigned] = quotes.map(({ id }) => id) as [string, string, string, string, string];
    const decision = await stage.askedBy(approveAll(signer.by, [kept, amount, recipient, price], rate));
    const signature = await stage.sign(signer, decision);
    await stage.tamper(`update settlements set source_amount_minor = source_amount_minor + 100000 where id = '${amount}'`);
    await stage.tamper(`update settlements set wallet_address = '${newAddress()}' where id = '${recipient}'`);
    const by = { ...signer.by, signature };
    const other = decimal("0.00767306");
    const items = [kept, amount, recipient, unsigned].map((id) => ({ id, expectedExchangeRate: rate }));
    const outcomes = await approveSettlements(stage.web(), { by, items: [...items, { id: price, expectedExchangeRate: other }] });
    expect(outcomes.map(({ id, outcome, ...rest }) => [id, outcome, "refusal" in rest ? rest.refusal?.code : null])).toEqual([
      [kept, "approved", null],
      ...[amount, recipient, unsigned, price].map((id) => [id, "refused", "passkey_required"]),
    ]);
    expect((await stage.kept()).map((row) => row.object_id)).toEqual([kept]);
    const rows = await stage.sql`select settlement_id from settlement_approvals`;
    expect(rows.map((row) => row.settlement_id)).toEqual([kept]);
  });

  it("are signed where only their sum is above the threshold; a single one of them needs no signature", async () => {
    const rate = await seenRate();
    stage.settings.thresholds = readThresholds("KES=1500") ?? stage.settings.thresholds;
    const ids = [(await stage.newQuote()).id, (await stage.newQuote()).id];
    const admin = await addProvenPerson(stage.db, "admin");
    expect(await refusalOf(approveAll(admin.by, ids, rate))).toBe("passkey_required");
    const signature = await stage.sign(signer, await stage.askedBy(approveAll(signer.by, ids, rate)));
    expect((await approveAll({ ...signer.by, signature }, ids, rate)).map(({ outcome }) => outcome)).toEqual(["approved", "approved"]);
    expect(await stage.kept()).toHaveLength(2);
    const [alone] = await approveAll(admin.by, [(await stage.newQuote()).id], rate);
    expect(alone?.outcome).toBe("approved");
  });

  it("of which somebody changed one in the database, its amount, recipient, price or version of the price, do not pay it; another is covered still", async () => {
    const rate = await seenRate();
    const ids: string[] = [];
    for (let each = 0; each < 5; each += 1) ids.push((await stage.newQuote()).id);
    const signature = await stage.sign(signer, await stage.askedBy(approveAll(signer.by, ids, rate)));
    await approveAll({ ...signer.by, signature }, ids, rate);
    for (const id of ids) await stage.confirm(stage.partner, id);
    for (const id of ids) expect(await signatureFaults(id)).toEqual([]);
    const changes = [
      "source_amount_minor = source_amount_minor + 1",
      `wallet_address = '${newAddress()}'`,
      "exchange_rate = exchange_rate * 1.01",
      "quote_version = 1",
    ];
    for (const [place, change] of changes.entries()) await stage.tamper(`update settlements set ${change} where id = '${ids[place]}'`);
    const faults = [];
    for (const id of ids) faults.push(...(await signatureFaults(id)));
    expect(faults).toEqual([
      "Passkeys of 0 of 1 people have signed its approval: another settlement.",
      "Passkeys of 0 of 1 people have signed its approval: another settlement.",
      "Passkeys of 1 of 1 people have signed its approval, none at its price: another price.",
      "Passkeys of 1 of 1 people have signed its approval, none at its price: another price.",
    ]);
    expect(await stage.paid(ids[0] ?? "")).toBe(false);
    expect(await listOpenHalts(stage.ctx)).toMatchObject([{ cause: "unowed_payment", scope: { kind: "chain" } }]);
    expect(await stage.sql`select * from transaction_attempts`).toHaveLength(0);
  });
});

describe("a batch", () => {
  async function newBatch() {
    const shared = { externalMerchantId: "merchant-1", sourceCurrency: "KES", destinationCurrency: "USDT", chain: chain.chain };
    const items = [1, 2].map((n) => ({
      ...shared,
      sourceAmountMinor: MAXIMUM + BigInt(n),
      walletAddress: newAddress(),
      externalTxId: `ref-${n}`,
      callbackUrl: null,
    }));
    const command = {
      ...stage.partner,
      externalBatchId: "payroll",
      bodySha256: "0".repeat(64),
      callbackUrl: "http://localhost:9/b",
      items,
    };
    return await createBatch(stage.powers, command);
  }
  /** The sum that its approver sees. */
  const seenTotal = async (id: string) => {
    const { facts } = await stage.askedBy(approveBatch(stage.web(), { by: signer.by, id, note: null, expectedTotal: null }));
    return new Map(Object.entries(facts.totals as Record<string, string>).map(([currency, amount]) => [currency, decimal(amount)]));
  };

  it("is approved by a signature of every item and of the sum that was seen, and paid", async () => {
    const { batch, items } = await newBatch();
    const expectedTotal = await seenTotal(batch.id);
    const command = { by: signer.by, id: batch.id, note: null, expectedTotal };
    const decision = await stage.askedBy(approveBatch(stage.web(), command));
    expect(decision).toMatchObject({ action: "batch.approve", subject: batch.id, facts: { count: 2 } });
    expect(decision.facts.items).toMatchObject(items.map(({ id, walletAddress }) => ({ settlement: id, recipient: walletAddress })));
    const signature = await stage.sign(signer, decision);
    expect(readRecord(signature.record)?.facts.totals).toEqual({ USDT: formatDecimal(expectedTotal.get("USDT") ?? decimal("0")) });
    const by = { ...signer.by, signature };
    // Another sum than the signed one, though within the tolerance; and a market that has moved beyond it.
    const nearly = new Map(
      [...expectedTotal].map(([currency, { coefficient, scale }]) => [currency, { coefficient: coefficient + 1n, scale }]),
    );
    expect(await refusalOf(approveBatch(stage.web(), { ...command, by, expectedTotal: nearly }))).toBe("passkey_required");
    await setRate(stage.db, "0.0079");
    expect(await refusalOf(approveBatch(stage.web(), { ...command, by }))).toBe("rate_moved");
    expect([await stage.kept(), await states()]).toEqual([[], ["pending", "pending"]]);
    await setRate(stage.db, RATE);
    expect((await approveBatch(stage.web(), { ...command, by })).approvalState).toBe("approved");
    expect(await stage.kept()).toEqual([{ object_id: batch.id, user_id: signer.id }]);
    await confirmBatch(stage.powers, { ...stage.partner, id: batch.id, callbackUrl: null, expectedTotal: null });
    for (const { id } of items) expect(await signatureFaults(id)).toEqual([]);
    expect(await stage.brokenSignatures()).toEqual({ checked: 1, faults: [] });
    await stage.runAll();
    expect(await settled()).toEqual(["executed", "executed"]);
  });

  it("with an item whose amount or recipient was changed after the signature is refused, and is not paid if it was approved before", async () => {
    const { batch, items } = await newBatch();
    const [one = "", other = ""] = items.map(({ id }) => id);
    const command = { by: signer.by, id: batch.id, note: null, expectedTotal: await seenTotal(batch.id) };
    const signature = await stage.sign(signer, await stage.askedBy(approveBatch(stage.web(), command)));
    const by = { ...signer.by, signature };
    const refused = async (id: string, change: string, back: string) => {
      await stage.tamper(`update settlements set ${change} where id = '${id}'`);
      expect(await refusalOf(approveBatch(stage.web(), { ...command, by }))).toBe("passkey_required");
      await stage.tamper(`update settlements set ${back} where id = '${id}'`);
    };
    await refused(one, "source_amount_minor = source_amount_minor + 1", "source_amount_minor = source_amount_minor - 1");
    await refused(other, `wallet_address = '${newAddress()}'`, `wallet_address = '${items[1]?.walletAddress}'`);
    expect(await stage.sql`select count(*)::int as n from settlement_approvals`).toEqual([{ n: 0 }]);
    await approveBatch(stage.web(), { ...command, by });
    await confirmBatch(stage.powers, { ...stage.partner, id: batch.id, callbackUrl: null, expectedTotal: null });
    await stage.tamper(`update settlements set wallet_address = '${newAddress()}' where id = '${other}'`);
    expect(await signatureFaults(one)).toEqual([]);
    const anothers = "Passkeys of 0 of 1 people have signed its approval: another settlement.";
    expect(await signatureFaults(other)).toEqual([anothers]);
    await stage.tamper(`update settlements set source_amount_minor = source_amount_minor + 1 where id = '${one}'`);
    expect(await signatureFaults(one)).toEqual([anothers]);
    await stage.runAll();
    expect(await stage.sql`select * from transaction_attempts`).toHaveLength(0);
  });
});
