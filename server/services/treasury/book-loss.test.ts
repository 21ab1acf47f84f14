import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Database } from "#db/client.ts";
import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import type { By } from "#domain/access.ts";
import type { TransferEngine } from "#server/engines/payments/engine.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { auditDatabase } from "#server/services/ledger/audit-database.ts";
import { keepTreasuryOpen } from "#server/services/ledger/open-treasury.ts";
import { confirmProposal } from "#server/services/proposal-decisions/decide-proposal.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { expectCleanAudit } from "#testing/clean-audit.ts";
import { addPartner, addTerms, setRate, type TestPartner } from "#testing/factories.ts";
import { addProvenPerson } from "#testing/people.ts";
import { openTamperer } from "#testing/tamper.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { bookComparison } from "./book-comparison.ts";
import { bookLoss } from "./book-loss.ts";
import { compareTreasury } from "./compare-treasury.ts";

const CONFIRMATIONS = 3;
const LOST_BASE = 100_000_000n;
const REASON = "the settlements were confirmed after the backup, and their partner keeps what they paid";

let chain: TestChain;
let bench: TransferBench;
let partner: TestPartner;
let worker: TransferEngine;
let [ana, ben]: By[] = [];

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
beforeEach(async () => {
  bench = await openTransferBench(chain, { confirmations: CONFIRMATIONS });
  partner = await addPartner(bench.db);
  worker = bench.newWorker();
  await bench.run(worker, [], 1);
  await chain.mine(4);
  await keepTreasuryOpen(bench.ctx).run();
  [ana, ben] = [(await addProvenPerson(bench.db, "admin")).by, (await addProvenPerson(bench.db, "admin")).by];
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

const ctx = (mode: "live" | "sandbox" = "live") => ({ ...bench.ctx, chains: bench.ctx.evm, mode });
const someone = (by: By | undefined): By => {
  if (by === undefined) throw new Error("there are two people");
  return by;
};

type Unknown = { recipient?: string; from?: string; amountBase?: bigint };

/** A payment by one of the treasury's wallets, or by somebody else, that the database does not know. */
async function payUnknown({
  recipient = newAddress(),
  from = bench.addresses[0] ?? "",
  amountBase = LOST_BASE,
}: Unknown = {}): Promise<string> {
  const amount = amountBase.toString(16).padStart(64, "0");
  const data = `0xa9059cbb${recipient.slice(2).toLowerCase().padStart(64, "0")}${amount}`;
  await chain.call("anvil_impersonateAccount", from);
  const hash = await chain.call("eth_sendTransaction", { from, to: chain.tokens.USDT, data });
  await chain.mine();
  return String(hash);
}

async function payUnknownFinally(payment?: Unknown): Promise<string> {
  const hash = await payUnknown(payment);
  await chain.mine(CONFIRMATIONS);
  return hash;
}

const lose = (hashes: readonly string[], mode?: "live" | "sandbox") =>
  bookLoss(ctx(mode), { by: someone(ana), chain: chain.chain, hashes, reason: REASON });

async function broken(db: Database = bench.db): Promise<string[]> {
  const { rules } = await auditDatabase({ db, evm: bench.ctx.evm });
  return rules.filter(({ violations }) => violations.length > 0).map(({ rule }) => rule);
}

async function lossesBase(): Promise<Record<string, bigint>> {
  const balances = await listLedgerBalances(bench.db);
  return Object.fromEntries(balances.filter(({ account }) => account === "losses").map(({ currency, amount }) => [currency, amount]));
}

describe("money that is gone", () => {
  it("is booked as lost by its transactions once a second person says so, and the audit finds nothing any more", async () => {
    const hashes = [await payUnknownFinally(), await payUnknownFinally()];
    expect(await broken()).toEqual(["treasury_is_there"]);
    const { proposal, result } = await lose(hashes);
    expect(result).toBeNull();
    expect(await lossesBase()).toEqual({});
    await expect(confirmProposal(ctx(), { by: someone(ana), id: proposal.id })).rejects.toMatchObject({ code: "same_approver" });
    expect(await broken()).toEqual(["treasury_is_there"]);
    await confirmProposal(ctx(), { by: someone(ben), id: proposal.id });
    expect(await lossesBase()).toEqual({ USDT: 2n * LOST_BASE });
    await expectCleanAudit({ db: bench.db, evm: bench.ctx.evm });
    expect((await compareTreasury(ctx()))[0]).toMatchObject({ paid: [], unexplained: [] });
  });

  it("is booked once, however it is named again", async () => {
    const [hash, other] = [await payUnknownFinally(), await payUnknownFinally()];
    await lose([hash], "sandbox");
    await expect(lose([hash.toUpperCase().replace("0X", "0x")])).rejects.toMatchObject({ code: "invalid_state" });
    const waiting = [await lose([other]), await lose([await payUnknownFinally(), other])];
    await confirmProposal(ctx(), { by: someone(ben), id: waiting[0]?.proposal.id ?? "" });
    const second = confirmProposal(ctx(), { by: someone(ben), id: waiting[1]?.proposal.id ?? "" });
    await expect(second).rejects.toMatchObject({ code: "invalid_state" });
    expect(await lossesBase()).toEqual({ USDT: 2n * LOST_BASE });
  });

  it("is booked once when two people confirm at once, and when two proposals that share it are confirmed at once", async () => {
    const cleo = (await addProvenPerson(bench.db, "admin")).by;
    const [hash, other] = [await payUnknownFinally(), await payUnknownFinally()];
    const confirmedAtOnce = async (...yes: readonly (readonly [By | undefined, string])[]) => {
      const ends = await Promise.allSettled(yes.map(([by, id]) => confirmProposal(ctx(), { by: someone(by), id })));
      return ends.map((end) => (end.status === "fulfilled" ? "booked" : String(end.reason.code))).toSorted();
    };
    const { proposal } = await lose([hash]);
    expect(await confirmedAtOnce([ben, proposal.id], [cleo, proposal.id])).toEqual(["booked", "invalid_state"]);
    const [one, two] = [await lose([other]), await lose([await payUnknownFinally(), other])];
    expect(await confirmedAtOnce([ben, one.proposal.id], [cleo, two.proposal.id])).toEqual(["booked", "invalid_state"]);
    const [{ entries } = { entries: 0 }] = await bench.sql<{ entries: number }[]>`
      select count(*)::int as entries from ledger_entries where step = 'lost' and cause_id like ${`%${other}`}`;
    expect(entries).toBe(1);
  });

  it("is not booked by a viewer, nor once the admin who proposed it has become one", async () => {
    const viewer = await addProvenPerson(bench.db, "viewer");
    const { proposal } = await lose([await payUnknownFinally()]);
    await expect(confirmProposal(ctx(), { by: viewer.by, id: proposal.id })).rejects.toMatchObject({ code: "forbidden" });
    const { actor } = someone(ana);
    await bench.sql`update users set role = 'viewer' where id = ${actor.type === "user" ? actor.userId : ""}`;
    await expect(confirmProposal(ctx(), { by: someone(ben), id: proposal.id })).rejects.toMatchObject({ code: "conflict" });
    expect(await lossesBase()).toEqual({});
  });

  it("is named in the audit where no two people have booked it", async () => {
    await lose([await payUnknownFinally()], "sandbox");
    const tamperer = openTamperer(bench.url);
    try {
      const change = "delete from proposals where kind = 'treasury_loss'";
      expect(await tamperer.tamper(change, broken)).toEqual(["ledger_has_a_cause"]);
    } finally {
      await tamperer.close();
    }
  });

  it("is no loss any more once an owed payment turns up that it made", async () => {
    await addTerms(bench.db);
    await setRate(bench.db, "0.0077");
    const terms = { ...ctx(), policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 } };
    const quote = await createSettlement(terms, {
      ...partner,
      chain: chain.chain,
      callbackUrl: "http://localhost:9/callback",
      sourceAmountMinor: 1_000_000n,
      sourceCurrency: "KES",
      destinationCurrency: "USDT",
      externalMerchantId: "merchant-1",
      walletAddress: newAddress(),
    });
    const hash = await payUnknownFinally({ recipient: quote.walletAddress, amountBase: quote.quote.destinationAmountBase });
    await lose([hash], "sandbox");
    const values = { externalTxId: "ref-1", callbackUrl: null, expectedDestinationAmount: null };
    await confirmSettlement(terms, { ...partner, id: quote.id, ...values });
    const [compared] = await compareTreasury(ctx());
    expect(compared?.paid.map(({ payment, transaction }) => [payment.ownerId, transaction.hash])).toEqual([[quote.id, hash]]);
    const [booked] = await bookComparison(ctx("sandbox"), { by: someone(ana), paid: compared?.paid ?? [] });
    expect(booked).toMatchObject({ outcome: "booked" });
    expect(await lossesBase()).toEqual({ USDT: 0n });
    await expectCleanAudit({ db: bench.db, evm: bench.ctx.evm });
  });
});

describe("what is no loss", () => {
  const refused = async (hash: string) => await expect(lose([hash])).rejects.toMatchObject({ code: "invalid_state" });

  it("is a payment of ours that the database knows", async () => {
    const owed = await bench.enqueuePayment();
    const [paid] = await bench.run(worker, [owed.id]);
    await refused(paid?.txHash ?? "");
  });

  it("is one that seems to have paid what is still owed", async () => {
    const recipient = newAddress();
    const hash = await payUnknownFinally({ recipient });
    await bench.enqueuePayment({ recipient, amountBase: LOST_BASE });
    await refused(hash);
  });

  it("is one under a nonce that a transfer of ours has signed and not ended", async () => {
    const owed = await bench.enqueuePayment();
    await runTransfersOnce(worker, chain.chain);
    await chain.call("anvil_dropAllTransactions");
    const hash = await payUnknownFinally();
    const [{ nonce } = { nonce: "" }] = await bench.sql<{ nonce: string }[]>`select nonce from transactions where transfer_id = ${owed.id}`;
    const refusal = lose([hash]);
    await expect(refusal).rejects.toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining(`Nonce ${nonce} is ${owed.id}'s`),
    });
  });

  it("is one that is not final yet, that somebody else made, or that no node knows", async () => {
    await refused(await payUnknown());
    const other = newAddress();
    await chain.fund(other);
    const foreign = await payUnknown({ from: other });
    await chain.mine(CONFIRMATIONS);
    await refused(foreign);
    await refused(`0x${"0".repeat(64)}`);
  });
});
