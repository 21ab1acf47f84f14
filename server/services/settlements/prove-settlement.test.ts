import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { transfers } from "#db/schema/transfers.ts";
import { openProofKeys } from "#domain/proof.ts";
import { type Claims, type ProofJwk, verifyProof } from "#domain/verify-proof.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { addPartner, addTerms, setRate, type TestPartner } from "#testing/factories.ts";
import { newAddress, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { completeOwner } from "./complete-owner.ts";
import { confirmSettlement } from "./confirm-settlement.ts";
import { createSettlement } from "./create-settlement.ts";
import { proveSettlement } from "./prove-settlement.ts";

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

async function quoted(sourceAmountMinor = 1_000_000n) {
  bench = await openTransferBench(chain, { onFinal: completeOwner });
  partner = await addPartner(bench.db);
  await addTerms(bench.db);
  await setRate(bench.db, "0.0077");
  const ctx = { db: bench.db, chains: bench.ctx.evm, policy: { driftToleranceBps: 10, signedApprovals: null } };
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
  const { ctx, settlement } = await quoted();
  await confirmSettlement(ctx, {
    ...partner,
    id: settlement.id,
    externalTxId: "ref-1",
    callbackUrl: "http://localhost:9/",
    expectedDestinationAmount: null,
  });
  const [owed] = await bench.db.select({ id: transfers.id }).from(transfers).where(eq(transfers.ownerId, settlement.id));
  await bench.run(bench.newWorker(), [owed?.id ?? ""]);
  return settlement;
}

const prove = (id: string, evm = bench.ctx.evm, keys = proofs) =>
  proveSettlement({ db: bench.db, evm, proofs: keys }, { id, partnerId: partner.partnerId });

async function claimsOf(proof: string | null): Promise<Claims> {
  const found = await verifyProof(proof ?? "", proofs.jwks as { keys: ProofJwk[] });
  if (!found.valid) throw new Error(found.reason);
  return found.claims;
}

it("a quote says what was promised to whom, until when; nothing is paid, so there is no receipt", async () => {
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
  const { settlement } = await quoted(10_000_000_000n);
  expect(settlement.approvalState).toBe("pending");
  expect(await claimsOf((await prove(settlement.id)).quote)).toMatchObject({ sub: settlement.id, approval_state: "pending" });
});

it("a receipt says which log of which block brought the money, as the chain itself has it", async () => {
  const { id } = await executed();
  const { receipt } = await prove(id);
  const claims = await claimsOf(receipt);
  const onChain = (await chain.call("eth_getTransactionReceipt", claims.tx_hash)) as {
    blockHash: string;
    logs: { logIndex: string; data: string }[];
  };
  const log = onChain.logs.find(({ logIndex }) => Number(logIndex) === claims.log_index);
  expect(onChain.blockHash).toBe(claims.block_hash);
  expect(BigInt(log?.data ?? 0)).toBe(BigInt(String(claims.destination_amount_base)));
});

it("where the chain cannot be asked there is no receipt with a hole in it: it is to be asked for again", async () => {
  const { id } = await executed();
  await expect(prove(id, { list: () => [], find: () => null })).rejects.toMatchObject({ code: "temporarily_unavailable" });
});

it("a foreign settlement is none, and without a key nothing is signed", async () => {
  const { settlement } = await quoted();
  const foreign = { id: settlement.id, partnerId: (await addPartner(bench.db)).partnerId };
  await expect(proveSettlement({ db: bench.db, evm: bench.ctx.evm, proofs }, foreign)).rejects.toMatchObject({
    code: "settlement_not_found",
  });
  await expect(prove(settlement.id, bench.ctx.evm, openProofKeys(ISSUER, []))).rejects.toMatchObject({ code: "route_not_found" });
});
