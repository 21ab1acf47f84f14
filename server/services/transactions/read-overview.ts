import { findLastAttestation } from "#db/queries/attestations/attestations.ts";
import { listExposures } from "#db/queries/exposure/open-quotes.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listRateAges } from "#db/queries/maintenance/vitals.ts";
import { type Attention, readAttention, readSetupSteps, SETUP_STEPS, type SetupStep } from "#db/queries/overview/attention.ts";
import { listTerms } from "#db/queries/rates/pair-terms.ts";
import { sumTreasuryUse, type TreasuryUse } from "#db/queries/transfers/treasury-use.ts";
import { listTreasuryBalances, type TreasuryBalance } from "#db/queries/transfers/wallet-balances.ts";
import type { Exposure } from "#domain/open-quotes.ts";
import type { RateAge } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";

/** The balance of a chain's paying wallets in a currency, against the amount paid there in the last 24 hours. */
export type Runway = Pick<TreasuryBalance, "chain" | "currency" | "amountBase"> & {
  tokenDecimals: number;
  /** Only for fees, which are not counted here. */
  isNative: boolean;
  wallets: number;
  /** How many of them run low. */
  lowWallets: number;
  /** Their addresses. */
  lowAddresses: string[];
  usedBase: bigint;
  /** How long it lasts at that pace; null: nothing was used. */
  hours: number | null;
};

export type Overview = {
  now: Date;
  attention: Attention;
  /** Currencies that somebody may quote and nobody can just now. */
  halted: string[];
  /** What only operators see; null for a partner. */
  inside: { rates: RateAge[]; exposures: Exposure[]; attestedAt: Date | null; runway: Runway[] } | null;
  /** Only for a partner, until its first settlement is executed and its callback delivered. */
  setup: { step: SetupStep; done: boolean }[] | null;
};

/**
 * The present state, independent of the range: for an operator over all partners, or for one partner. Its cost does not grow with the
 * history.
 */
export async function readOverview(ctx: Uses<"db" | "chains">, { partnerId }: { partnerId: string | null }): Promise<Overview> {
  const { db } = ctx;
  const inside = partnerId === null ? await readInside(ctx) : null;
  return {
    now: await readBusinessNow(db),
    attention: await readAttention(db, partnerId),
    halted:
      partnerId === null ? (inside?.rates ?? []).flatMap(({ fresh, pair }) => (fresh ? [] : pair)) : await listHaltedFor(ctx, partnerId),
    inside,
    setup: partnerId === null ? null : await readSetup(ctx, partnerId),
  };
}

async function readInside(ctx: Uses<"db" | "chains">): Promise<NonNullable<Overview["inside"]>> {
  const { db } = ctx;
  return {
    rates: await listRateAges(db),
    exposures: await listExposures(db),
    attestedAt: (await findLastAttestation(db))?.madeAt ?? null,
    runway: await readRunway(ctx),
  };
}

async function listHaltedFor({ db }: Uses<"db">, partnerId: string): Promise<string[]> {
  const halted = (await listTerms(db, partnerId)).filter(({ rate }) => rate === null);
  return [...new Set(halted.map(({ terms }) => `${terms.sourceCurrency}/${terms.destinationCurrency}`))];
}

async function readSetup(ctx: Uses<"db">, partnerId: string): Promise<Overview["setup"]> {
  const done = await readSetupSteps(ctx.db, partnerId);
  return SETUP_STEPS.every((step) => done[step]) ? null : SETUP_STEPS.map((step) => ({ step, done: done[step] }));
}

/** All active wallets of a chain pay together, so they last together. */
async function readRunway({ db, chains }: Uses<"db" | "chains">): Promise<Runway[]> {
  const used = await sumTreasuryUse(db);
  const sums = new Map<string, Runway>();
  for (const balance of await listTreasuryBalances(db)) {
    const token = chains.find(balance.chain)?.tokens.find(({ currency }) => currency === balance.currency);
    if (token === undefined || balance.state !== "active") continue;
    const key = `${balance.chain} ${balance.currency}`;
    const before = sums.get(key);
    const amountBase = balance.amountBase + (before?.amountBase ?? 0n);
    const usedBase = token.address === null ? 0n : usedOf(used, balance);
    sums.set(key, {
      chain: balance.chain,
      currency: balance.currency,
      tokenDecimals: token.decimals,
      amountBase,
      usedBase,
      isNative: token.address === null,
      wallets: (before?.wallets ?? 0) + 1,
      lowWallets: (before?.lowWallets ?? 0) + Number(balance.low),
      lowAddresses: [...(before?.lowAddresses ?? []), ...(balance.low ? [balance.address] : [])],
      hours: usedBase === 0n ? null : Number((amountBase * 24n * 100n) / usedBase) / 100,
    });
  }
  return [...sums.values()];
}

function usedOf(used: readonly TreasuryUse[], { chain, currency }: TreasuryBalance): bigint {
  return used.find((each) => each.chain === chain && each.currency === currency)?.usedBase ?? 0n;
}
