import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { transfers } from "#db/schema/transfers.ts";
import { openProofKeys } from "#domain/proof.ts";
import { type Claims, type ProofJwk, verifyProof } from "#domain/verify-proof.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner, addTerms, setRate, type TestPartner } from "#testing/factories.ts";
import { allowPacking } from "#testing/packing.ts";
import { NO_LAPSING_CHAINS } from "#testing/surface.ts";
import { openTamperer } from "#testing/tamper.ts";
import { type BenchOptions, newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { bringOutbox } from "./bring-outbox.ts";
import { completeOwner } from "./complete-owner.ts";
import { confirmSettlement } from "./confirm-settlement.ts";
import { createSettlement } from "./create-settlement.ts";
import { proveSettlement } from "./prove-settlement.ts";
import { readPaymentEvidence, readPaymentReceipt } from "./read-payment-receipt.ts";

const ISSUER = "https://pay.example";
const proofs = openProofKeys(ISSUER, [{ id: "now", key: randomBytes(32) }]);

let chain: TestChain;
let bench: TransferBench;
let partner: TestPartner;

beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(() => bench.close());
afterAll(() => chain.stop());

async function setUp(options: BenchOptions = {}): Promise<void> {
  bench = await openTransferBench(chain, { onFinal: completeOwner, ...options });
  partner = await addPartner(bench.db);
  await addTerms(bench.db);
  await setRate(bench.db, "0.0077");
}

async function quoted(sourceAmountMinor = 1_000_000n) {
  const ctx = { db: bench.db, chains: bench.ctx.evm, policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 } };
  const settlement = await createSettlement(ctx, {
    ...partner,
    sourceAmountMinor,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    externalMerchantId: "merchant-1",
    chain: chain.chain,
    walletAddress: newAddress(),
    callbackUrl: null,
  });
  return { ctx, settlement };
}

async function executed() {
  await setUp();
  const { settlement, transferId } = await confirmed();
  await bench.run(bench.newWorker(), [transferId]);
  return settlement;
}

async function confirmed() {
  const { ctx, settlement } = await quoted();
  const { id } = settlement;
  const terms = { externalTxId: `ref-${id}`, callbackUrl: "http://localhost:9/", expectedDestinationAmount: null };
  await confirmSettlement(ctx, { ...partner, id, ...terms });
  await bringOutbox(ctx);
  const [owed] = await bench.db.select({ id: transfers.id }).from(transfers).where(eq(transfers.ownerId, id));
  return { settlement, transferId: owed?.id ?? "" };
}

/** What the chain itself has at the log that a receipt names. */
async function logOf({ tx_hash, log_index }: Claims) {
  const onChain = z.object({ blockHash: z.string(), logs: z.array(Log) }).parse(await chain.call("eth_getTransactionReceipt", tx_hash));
  const { blockHash, logs } = onChain;
  return { blockHash, log: logs.find(({ logIndex }) => Number(logIndex) === log_index) };
}
const Log = z.object({ logIndex: z.string(), topics: z.array(z.string()), data: z.string() });

const prove = (id: string, evm = bench.ctx.evm, keys = proofs) =>
  proveSettlement({ db: bench.db, evm, lapsing: NO_LAPSING_CHAINS, proofs: keys }, { id, partnerId: partner.partnerId });

async function claimsOf(proof: string | null): Promise<Claims> {
  const found = await verifyProof(proof ?? "", proofs.jwks as { keys: ProofJwk[] });
  if (!found.valid) throw new Error(found.reason);
  return found.claims;
}

it("a quote says what was promised to whom, until when; nothing is paid, so there is no receipt", async () => {
  await setUp();
  const { settlement } = await quoted();
  const proof = await prove(settlement.id);
  expect(proof.receipt).toBeNull();
  expect(await claimsOf(proof.quote)).toMatchObject({
    iss: ISSUER,
    sub: settlement.id,
    partner_id: partner.partnerId,
    source_amount_minor: "1000000",
    destination_amount_base: settlement.quote.destinationAmountBase.toString(),
    wallet_address: settlement.walletAddress,
    approval_state: null,
    expires_at: settlement.quote.expiresAt.toISOString(),
  });
  expect(await prove(settlement.id)).toEqual(proof);
});

it("a quote that awaits an admin says so: nothing is promised yet", async () => {
  await setUp();
  const { settlement } = await quoted(10_000_000_000n);
  expect(settlement.approvalState).toBe("pending");
  expect(await claimsOf((await prove(settlement.id)).quote)).toMatchObject({ sub: settlement.id, approval_state: "pending" });
});

it("a receipt says which log of which block brought the money, as the chain itself has it", async () => {
  const { id } = await executed();
  const { receipt } = await prove(id);
  const claims = await claimsOf(receipt);
  const { blockHash, log } = await logOf(claims);
  expect(blockHash).toBe(claims.block_hash);
  expect(BigInt(log?.data ?? 0)).toBe(BigInt(String(claims.destination_amount_base)));
});

it("receipts of payments in one transaction name each its own log, and a log of somebody else proves none of them", async () => {
  await setUp({ packing: true });
  await allowPacking(chain, bench.addresses);
  const owed = [await confirmed(), await confirmed(), await confirmed()];
  await bench.run(
    bench.newWorker(),
    owed.map(({ transferId }) => transferId),
    16,
  );
  const hashes = new Set<unknown>();
  for (const { settlement } of owed) {
    const claims = await claimsOf((await prove(settlement.id)).receipt);
    hashes.add(claims.tx_hash);
    const { log } = await logOf(claims);
    expect(log?.topics[2]?.endsWith(settlement.walletAddress.slice(2).toLowerCase())).toBe(true);
    expect(BigInt(log?.data ?? 0)).toBe(settlement.quote.destinationAmountBase);
  }
  expect(hashes.size).toBe(1);
  const [first, second] = owed.map(({ settlement }) => settlement.id);
  const ctx = { db: bench.db, evm: bench.ctx.evm, lapsing: NO_LAPSING_CHAINS };
  const fees = await Promise.all([first, second].map(async (id) => (await readPaymentReceipt(ctx, { id: id ?? "" }))?.networkFee.base));
  const [booked] = await bench.sql`select fee_base::text as fee from network_fees where hash = ${String([...hashes][0])}`;
  expect(fees).toEqual([0, 1].map(() => (BigInt(booked?.fee) + 2n) / 3n));
  const { id } = owed[0]?.settlement ?? { id: "" };
  const tamperer = openTamperer(bench.url);
  const swapped = `do $$ begin
    alter table pack_members drop constraint pack_members_one_log;
    update pack_members set log_index = 2 - log_index;
  end $$`;
  const evidence = await tamperer.tamper(swapped, (db) => readPaymentEvidence({ ...ctx, db }, { id })).finally(tamperer.close);
  expect(evidence).toEqual({ outcome: "contradicted" });
});

it("where the chain cannot be asked there is no receipt with a hole in it: it is to be asked for again", async () => {
  const { id } = await executed();
  await expect(prove(id, { list: () => [], find: () => null })).rejects.toMatchObject({ code: "temporarily_unavailable" });
});

it("a foreign settlement is none, and without a key nothing is signed", async () => {
  await setUp();
  const { settlement } = await quoted();
  const foreign = { id: settlement.id, partnerId: (await addPartner(bench.db)).partnerId };
  await expect(proveSettlement({ ...bench.ctx, proofs }, foreign)).rejects.toMatchObject({
    code: "settlement_not_found",
  });
  await expect(prove(settlement.id, bench.ctx.evm, openProofKeys(ISSUER, []))).rejects.toMatchObject({ code: "route_not_found" });
});
