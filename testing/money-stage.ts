import { randomUUID } from "node:crypto";
import { insertPool } from "#db/queries/fiat/fiat-pools.ts";
import { members } from "#db/schema/members.ts";
import { railSignature } from "#domain/rail-signature.ts";
import type { Settlement } from "#domain/settlement.ts";
import { deploySafeContracts, ensureSafe } from "#sandbox/chain/safes.ts";
import { createFiatEngine, type SweepRequest } from "#server/engines/fiat-orders/engine.ts";
import { runOrdersOnce } from "#server/engines/fiat-orders/run-orders.ts";
import { runTransfersOnce } from "#server/engines/payments/run-transfers.ts";
import { planSweep } from "#server/engines/payments/signing/plan-sweep.ts";
import { makeSimulatedCalls } from "#server/engines/simulated-rail/make-simulated-calls.ts";
import { simulatedRail } from "#server/engines/simulated-rail/simulated-rail.ts";
import { drawUpWithdrawal } from "#server/services/fiat/draw-up-withdrawal.ts";
import { requestTopup } from "#server/services/fiat/request-topup.ts";
import { requestWithdrawal } from "#server/services/fiat/request-withdrawal.ts";
import { bringOutbox } from "#server/services/settlements/bring-outbox.ts";
import { completeOwner } from "#server/services/settlements/complete-owner.ts";
import { confirmSettlement } from "#server/services/settlements/confirm-settlement.ts";
import { createSettlement } from "#server/services/settlements/create-settlement.ts";
import { silentLog } from "./callbacks.ts";
import type { TestChain } from "./chain.ts";
import { mortal } from "./death.ts";
import { addPartner, addTerms, setClockOffset, setRate, type TestPartner } from "./factories.ts";
import { onlyRail } from "./fiat.ts";
import { allowPacking } from "./packing.ts";
import { openPartnerStage } from "./partner-calls.ts";
import { TEST_PROVIDERS, TEST_RAIL_SECRET } from "./surface.ts";
import { type BenchOptions, openTransferBench } from "./transfers.ts";

const ACCOUNT = "+254700000000";
const URL = "http://localhost:9/callback";

type StageOptions = Pick<BenchOptions, "wallets" | "database" | "rpcUrls" | "bumpAfterSeconds" | "packing"> & {
  partners: number;
  /** The callback URL; omitted: none. */
  callbackUrl?: string;
};

/**
 * Everything that moves money, on a real chain and database with the sandbox's provider: partners, each with its own Safe, whose
 * settlements, top-ups and withdrawals are requested, and workers that may die at any step. Nothing moves until `work` and `passTime` are
 * called. The chain mines only on `mine()`.
 */
export async function openMoneyStage(chain: TestChain, options: StageOptions) {
  await deploySafeContracts(chain.rpcUrl);
  const { database, rpcUrls, bumpAfterSeconds, packing = false } = options;
  const own = { ...(database && { database }), ...(rpcUrls && { rpcUrls }), ...(bumpAfterSeconds !== undefined && { bumpAfterSeconds }) };
  const bench = await openTransferBench(chain, { onFinal: completeOwner, wallets: options.wallets ?? 1, packing, ...own });
  if (packing) await allowPacking(chain, bench.addresses);
  await runTransfersOnce(bench.newWorker(), chain.chain);
  await bench.letLeasesLapse();
  await addTerms(bench.db, { spreadBps: 35 });
  await setRate(bench.db, "0.0077");
  const limits = { minimumMinor: 1n, maximumMinor: 10_000_000n, lowWaterMinor: 0n };
  await insertPool(bench.db, { currency: "KES", totalMinor: 100_000_000n, ...limits }, new Date());
  const partners: TestPartner[] = [];
  for (let each = 0; each < options.partners; each += 1) {
    const saltNonce = BigInt(`0x${randomUUID().replaceAll("-", "")}`);
    const safe = await ensureSafe(chain.rpcUrl, { version: "1.4.1", owners: [...bench.addresses], threshold: 1, saltNonce });
    await chain.fund(safe, { ether: 0, tokens: 10_000 });
    partners.push(await addPartner(bench.db, { walletAddress: safe, chargeFeePercentage: "1.5" }));
  }
  const stage = openPartnerStage(bench.db, { log: silentLog });
  const powers = {
    ...bench.ctx,
    chains: bench.ctx.evm,
    mode: "sandbox" as const,
    fiatProviders: TEST_PROVIDERS,
    policy: { driftToleranceBps: 10, signedApprovals: null, decisionTargetMinutes: 60 },
  };
  let clockMs = 0;

  /** A worker process: its memory dies with it. `observe` is called at every step, and may throw. */
  function newWorker(observe?: () => void) {
    const transfers = bench.newWorker(observe ? { observe } : {});
    const runOrders = newOrders(observe);
    return async () => {
      await bringOutbox({ db: bench.db });
      await runOrders();
      await runTransfersOnce(transfers, chain.chain);
    };
  }
  /** The part of a worker that processes only fiat orders: nothing is signed. */
  function newOrders(observe?: () => void) {
    const rails = { rails: onlyRail(simulatedRail(powers)), planSweep: (sweep: SweepRequest) => planSweep(powers, sweep) };
    const orders = createFiatEngine({ ...rails, ...mortal(powers, observe) });
    return async () => {
      await runOrdersOnce(orders, "withdrawals");
      await runOrdersOnce(orders, "topups");
    };
  }

  /** Mines a block, advances business time, and lets the provider make its due callbacks. */
  async function passTime(milliseconds = 4_000): Promise<void> {
    await chain.mine();
    clockMs += milliseconds;
    await setClockOffset(bench.db, clockMs);
    await makeSimulatedCalls(bench.ctx, async (path, body) => {
      const { status } = await stage.call("POST", path, { body, headers: { "X-Signature": railSignature(TEST_RAIL_SECRET, body) } });
      return status;
    });
  }

  /** What time would do to a dead worker's leases. */
  async function letLeasesLapse(): Promise<void> {
    await bench.letLeasesLapse();
    await bench.sql`update withdrawals set lease_until = null, lease_token = null where lease_token is not null`;
    await bench.sql`update callbacks set lease_until = now() - interval '1 second' where lease_until is not null`;
    await bench.sql`update topups set lease_until = null, lease_token = null where lease_token is not null`;
  }
  return {
    ...bench,
    partners,
    powers,
    newWorker,
    newOrders,
    newTransfers: bench.newWorker,
    passTime,
    letLeasesLapse,
    ...requests(powers, chain, options.callbackUrl ?? URL),
  };
}

export type MoneyStage = Awaited<ReturnType<typeof openMoneyStage>>;
type Powers = Parameters<typeof requestWithdrawal>[0] & Parameters<typeof drawUpWithdrawal>[0] & Parameters<typeof createSettlement>[0];

function requests(powers: Powers, chain: TestChain, callbackUrl: string) {
  const db = powers.db;
  const common = { chain: chain.chain, callbackUrl };
  /** Adds a member that brought its wallet. Answers its reference, which is its id, too. */
  async function addMember(partner: TestPartner, wallet: string): Promise<string> {
    const id = randomUUID();
    const now = new Date();
    const phone = `+2547${String(Math.floor(Math.random() * 1e12))
      .padStart(12, "0")
      .slice(0, 10)}`;
    const member = { id, partnerId: partner.partnerId, externalUserId: id, phone, walletAddress: wallet, chain: chain.chain };
    await db.insert(members).values({ ...member, createdAt: now, updatedAt: now });
    return id;
  }
  return {
    async quote(partner: TestPartner, values: { amountMinor: bigint; wallet: string }): Promise<Settlement> {
      return await createSettlement(powers, {
        ...partner,
        ...common,
        sourceAmountMinor: values.amountMinor,
        sourceCurrency: "KES",
        destinationCurrency: "USDT",
        externalMerchantId: "merchant-1",
        walletAddress: values.wallet,
      });
    },
    async confirm(partner: TestPartner, id: string): Promise<Settlement> {
      const values = { id, externalTxId: `ref-${id}`, callbackUrl: null, expectedDestinationAmount: null };
      return (await confirmSettlement(powers, { ...partner, ...values })).settlement;
    },
    async withdraw(partner: TestPartner, values: { amountMinor: bigint; account?: string }): Promise<string> {
      const command = {
        ...partner,
        ...common,
        externalId: randomUUID(),
        externalUserId: null,
        amountMinor: values.amountMinor,
        currency: "KES",
        sourceCurrency: "USDT",
        destination: { type: "mobile_money" as const, account: values.account ?? ACCOUNT, name: "Wanjiru" },
      };
      return (await requestWithdrawal(powers, command, () => drawUpWithdrawal(powers, command))).withdrawal.id;
    },
    addMember,
    /** Of a member that is there, or of a new one with that wallet. */
    async topUp(
      partner: TestPartner,
      values: { amountMinor: bigint; account?: string } & ({ wallet: string } | { member: string }),
    ): Promise<string> {
      const externalUserId = "member" in values ? values.member : await addMember(partner, values.wallet);
      const command = {
        ...partner,
        ...common,
        externalId: randomUUID(),
        externalUserId,
        amountMinor: values.amountMinor,
        currency: "KES",
        destinationCurrency: "USDT",
        source: { type: "mobile_money" as const, account: values.account ?? ACCOUNT },
      };
      return (await requestTopup(powers, command)).topup.id;
    },
  };
}
