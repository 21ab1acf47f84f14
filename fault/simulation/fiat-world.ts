import type { Database } from "#db/client.ts";
import { decimal } from "#domain/decimal.ts";
import { priceTopup, priceWithdrawal } from "#domain/fiat-price.ts";
import { newId } from "#domain/ids.ts";
import { owedFault, type PaymentOwner } from "#domain/owed-payment.ts";
import type { PairTerms } from "#domain/pair-terms.ts";
import { TOPUP_LIFETIME_MS, type Topup } from "#domain/topup.ts";
import type { Transfer, TransferCall } from "#domain/transfer.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import type { SweepRequest } from "#server/engines/fiat-orders/engine.ts";
import { takeProviderEvent } from "#server/services/fiat/apply-provider-update.ts";
import type { FindUnowed } from "#server/services/transfers/find-unowed.ts";
import { SAFES, sweepData, sweptIn, TOKEN } from "./contents.ts";
import { Gate } from "./gate.ts";
import { logFor } from "./log.ts";
import { CHAIN } from "./nodes.ts";
import { deriveFrom } from "./orders.ts";
import { type ProviderOrder, SimulatedProvider } from "./provider.ts";
import { openPool } from "./store.ts";
import { topupQueries, withdrawalQueries } from "./tables/fiat-orders.ts";
import { dateOf, tables } from "./tables/rows.ts";
import type { FiatWorld, PaymentWorld } from "./world.ts";

const PROVIDER = "fiat";
const MOST_CALLS = 40;
const ACCOUNT = { type: "mobile_money", account: "+254700000000" } as const;

/** The terms of every order here. */
const TERMS: PairTerms = {
  id: "pt_1",
  sourceCurrency: "KES",
  destinationCurrency: "USDT",
  chain: CHAIN,
  partnerId: null,
  version: 1,
  enabled: true,
  spreadBps: 0,
  platformFeeBase: 0n,
  minimumSourceMinor: 1n,
  maximumSourceMinor: 10n ** 12n,
  twoApprovalsAboveMinor: null,
  batchMaximumSourceMinor: null,
  quoteLifetimeSeconds: 300,
  approvedLifetimeSeconds: 1_800,
};

export function openFiat(world: PaymentWorld): FiatWorld {
  const random = world.history.random.fork("provider");
  const provider = new SimulatedProvider(world.net, random, {
    taken: (order) => checkTaken(world, order),
    settled: (order) => callBack(world, order, 0),
  });
  return { provider, wanted: new Map(), isForged: false };
}

/** Fiat is paid out only for crypto that was taken, and that for good. */
function checkTaken({ net: { chain, confirmations }, fiat, violations }: PaymentWorld, { id, kind }: ProviderOrder): void {
  if (kind !== "payout" || fiat?.isForged !== false) return;
  const safe = fiat.wanted.get(id)?.place ?? "";
  const isSwept = chain.blocks.some(
    (block) =>
      chain.height - block.height + 1 >= confirmations &&
      block.signed.some((one) => !block.failed.has(one.hash) && sweptIn(one)?.safe === safe),
  );
  if (!isSwept) violations.push(`${id} was paid out, and its crypto was not taken for good`);
}

/** The provider calls until its call is accepted. It gives up a call about an unknown order after a while. */
function callBack(world: PaymentWorld, order: ProviderOrder, calls: number): void {
  const { scheduler, store, history, weather, isCalm, violations } = world;
  const random = world.history.random.fork(`call ${order.id} ${calls}`);
  const again = () => {
    if (calls < MOST_CALLS) scheduler.after(500 + random.below(1_500), () => callBack(world, order, calls + 1));
  };
  if (!isCalm && random.chance(0.3)) return void again();
  const who = { name: `web for ${order.id}`, alive: true, frozenUntil: 0 };
  const gate = new Gate(who, scheduler, random, isCalm ? { ...weather, killed: 0 } : weather, history.trace);
  gate.onDeath(again);
  const ctx = { db: openPool(store, gate), log: logFor(history, violations, who.name), mode: "live" as const };
  const kind = order.kind === "payout" ? ("withdrawal" as const) : ("topup" as const);
  const call = { provider: PROVIDER, kind, orderId: order.id, word: order.word, body: "{}" };
  scheduler.as(who, () => {
    takeProviderEvent(ctx, call).then(() => {
      // Now and then it calls once more.
      if (random.chance(0.2)) again();
    }, again);
  });
}

/** What every order here has, whatever its kind. Its amount, its wallet and its Safe are its own, by its number. */
function factsOf(id: string, now: Date, index: number) {
  return {
    midRate: decimal("0.0077"),
    spreadBps: 0,
    rateSource: "fixed",
    rateAsOf: now,
    pairTermsId: TERMS.id,
    id,
    partnerId: "partner",
    apiKeyId: "key",
    externalId: id,
    amountMinor: 1_000_000n + BigInt(index) * 1_000n,
    currency: "KES",
    chain: CHAIN,
    tokenAddress: TOKEN,
    tokenDecimals: 6,
    chargeFeePercentage: decimal("1.5"),
    callbackUrl: null,
    provider: PROVIDER,
    trace: null,
    metadata: null,
    providerReference: null,
    txHash: null,
    failureReason: null,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
    cancelledAt: null,
  };
}

function newTopup(id: string, now: Date, index: number): Topup {
  const facts = factsOf(id, now, index);
  return {
    ...facts,
    ...priceTopup({ ...facts, exponent: 2 }),
    destinationCurrency: "USDT",
    walletAddress: `0x${(0xc000 + index).toString(16).padStart(40, "0")}`,
    memberId: "member",
    externalUserId: "member",
    step: "collecting",
    source: ACCOUNT,
    payment: { reference: id, instructions: "" },
    expiresAt: new Date(now.getTime() + TOPUP_LIFETIME_MS),
    expiredAt: null,
    latePaidAt: null,
  };
}

function newWithdrawal(id: string, now: Date, index: number): Withdrawal {
  const facts = factsOf(id, now, index);
  return {
    ...facts,
    ...priceWithdrawal({ ...facts, exponent: 2 }),
    sourceCurrency: "USDT",
    memberId: null,
    externalUserId: null,
    step: "reserved",
    safeAddress: `${SAFES}${index.toString(16).padStart(4, "0")}`,
    treasuryAddress: null,
    destination: { ...ACCOUNT, name: "Wanjiru" },
    returnTxHash: null,
  };
}

/** The order of that number, which its partner asks for. */
export async function askForOrder(world: PaymentWorld, db: Database, index: number): Promise<void> {
  const { scheduler, fiat, history } = world;
  if (fiat === null) return;
  const random = history.random.fork(`order ${index}`);
  const isTopup = random.chance(0.5);
  const now = dateOf(scheduler.now);
  const id = newId(isTopup ? "topup" : "withdrawal", now);
  if (random.chance(0.1)) fiat.provider.refusing.add(id);
  if (isTopup) {
    const topup = newTopup(id, now, index);
    await db.transaction((tx) => topupQueries.insertTopup(tx, topup));
    fiat.wanted.set(id, { kind: "topup", place: topup.walletAddress });
  } else {
    const withdrawal = newWithdrawal(id, now, index);
    await db.transaction((tx) => withdrawalQueries.insertWithdrawal(tx, withdrawal));
    fiat.wanted.set(id, { kind: "withdrawal", place: withdrawal.safeAddress });
  }
}

/** The Safe's owner is the first wallet: it alone may send the sweep. */
export function planSweepOf({ net }: PaymentWorld): (sweep: SweepRequest) => Promise<TransferCall> {
  return async ({ safeAddress, recipient, amountBase }) => {
    const sender = net.wallets[0] ?? "";
    return { to: safeAddress, valueBase: 0n, data: sweepData({ recipient, amountBase, sender }), sender };
  };
}

/** The signer's derivation, of settlements by what was ordered, and of orders by its own rules over their rows. */
export function deriveAll(world: PaymentWorld): FindUnowed {
  const ofSettlements = deriveFrom(world.orders);
  return async (tx, payments, chain) => {
    const unowed = new Map(await ofSettlements(tx, payments, chain));
    const known = { tokens: chain.tokens, treasury: world.net.wallets, packingContract: "safes" in chain ? chain.packingContract : null };
    for (const transfer of payments) {
      if (!["topup", "sweep", "return"].includes(transfer.purpose)) continue;
      const owner = ownerOf(transfer);
      const fault = owedFault(transfer, owner, known) ?? (await sweepFault(world, transfer, owner));
      if (fault !== null) unowed.set(transfer.id, fault);
    }
    return unowed;
  };
}

function ownerOf({ purpose, ownerId }: Transfer): PaymentOwner | undefined {
  const { topups, withdrawals, providerEvents } = tables();
  const order = (purpose === "topup" ? topups : withdrawals).rows.get(ownerId)?.order;
  if (order === undefined) return undefined;
  if (purpose === "sweep" || purpose === "return") return { purpose, withdrawal: order as Withdrawal, terms: TERMS };
  const isCollected = [...providerEvents.rows.values()].some(
    ({ event }) => event.orderId === ownerId && event.status === "succeeded" && event.effect === "applied",
  );
  return { purpose: "topup", topup: order as Topup, terms: TERMS, isCollected };
}

async function sweepFault(world: PaymentWorld, { call }: Transfer, owner: PaymentOwner | undefined): Promise<string | null> {
  if (owner?.purpose !== "sweep") return null;
  const { safeAddress, sourceAmountBase: amountBase, treasuryAddress, chain, tokenAddress } = owner.withdrawal;
  const wanted = await planSweepOf(world)({ chain, safeAddress, tokenAddress, amountBase, recipient: treasuryAddress ?? "" });
  return call?.to === wanted.to && call.data === wanted.data ? null : "The call does something else.";
}
