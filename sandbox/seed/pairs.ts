import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { insertPool } from "#db/queries/fiat/fiat-pools.ts";
import { saveFixedRate } from "#db/queries/rates/exchange-rates.ts";
import { insertTerms } from "#db/queries/rates/pair-terms.ts";
import { pairTerms } from "#db/schema/rates.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { decimal, powerOfTen } from "#domain/decimal.ts";
import { newId } from "#domain/ids.ts";
import { parseAmount } from "#domain/money.ts";
import { USUAL_LIFETIMES_SECONDS } from "#domain/pair-terms.ts";
import type { TokenInfo } from "#domain/token.ts";

/** A fiat currency as the sandbox trades it. Rate: units of the token per major unit. Fee: in the token. Limits: major units. */
type SeedCurrency = {
  code: string;
  rates: Readonly<Record<SeedToken, string>>;
  spreadBps: number;
  fee: string;
  minimum: bigint;
  maximum: bigint;
};
type SeedToken = (typeof SEED_TOKENS)[number];

export type SeedChain = { chain: string; tokens: readonly Pick<TokenInfo, "currency" | "decimals">[] };

const SEED_TOKENS = ["USDT", "USDC"] as const;
const SEED_CURRENCIES: readonly SeedCurrency[] = [
  row("KES", ["0.00773994", "0.00774150"], 75, "0.5", 100n, 1_000_000n),
  row("USD", ["0.99980", "1.00010"], 20, "0.5", 1n, 10_000n),
  row("EUR", ["1.08412", "1.08444"], 25, "0.5", 1n, 10_000n),
  row("NGN", ["0.000684932", "0.000685110"], 120, "0.5", 1_000n, 15_000_000n),
  row("PHP", ["0.0170648", "0.0170702"], 60, "0.5", 50n, 500_000n),
  row("JPY", ["0.00645995", "0.00646182"], 40, "0.5", 100n, 1_500_000n),
  row("KWD", ["3.25734", "3.25826"], 40, "0.5", 1n, 3_000n),
];

/** Two people must approve above this many times the maximum. */
const TWO_APPROVALS_ABOVE_MAXIMA = 5n;
/** The items of a batch together need an approval above this many. */
const BATCH_MAXIMA = 10n;

/**
 * The initial pairs, in force since `since`, and their fixed rates of now, on each of the chains with the tokens. Existing ones stay,
 * including terms that an operator has changed, and rates that were moved or removed.
 */
export async function seedPairs(db: Database, chains: readonly SeedChain[], { since, now }: { since: Date; now: Date }): Promise<void> {
  const known = await db
    .select({ pair: sql<string>`${pairTerms.sourceCurrency} || '/' || ${pairTerms.destinationCurrency}` })
    .from(pairTerms)
    .where(eq(pairTerms.version, 1));
  const knownPairs = new Set(known.map(({ pair }) => pair));
  for (const token of SEED_TOKENS) {
    for (const currency of SEED_CURRENCIES) {
      for (const chain of chains) await seedTerms(db, currency, token, chain, since);
      if (knownPairs.has(`${currency.code}/${token}`)) continue;
      const midRate = decimal(currency.rates[token]);
      await saveFixedRate(db, { sourceCurrency: currency.code, destinationCurrency: token, midRate, source: "fixed", asOf: now });
    }
  }
}

async function seedTerms(db: Database, currency: SeedCurrency, destinationCurrency: string, chain: SeedChain, now: Date): Promise<void> {
  const token = chain.tokens.find((each) => each.currency === destinationCurrency);
  const fiat = findFiatCurrency(currency.code);
  if (token === undefined || fiat === null) return;
  const platformFeeBase = parseAmount(currency.fee, token.decimals);
  if (platformFeeBase === null) throw new Error(`the fee of ${currency.code} is finer than ${destinationCurrency}`);
  await insertTerms(db, {
    id: newId("terms", now),
    sourceCurrency: currency.code,
    destinationCurrency,
    chain: chain.chain,
    partnerId: null,
    version: 1,
    enabled: true,
    withdrawn: false,
    spreadBps: currency.spreadBps,
    platformFeeBase,
    minimumSourceMinor: currency.minimum * powerOfTen(fiat.exponent),
    maximumSourceMinor: currency.maximum * powerOfTen(fiat.exponent),
    twoApprovalsAboveMinor: currency.maximum * TWO_APPROVALS_ABOVE_MAXIMA * powerOfTen(fiat.exponent),
    batchMaximumSourceMinor: currency.maximum * BATCH_MAXIMA * powerOfTen(fiat.exponent),
    quoteLifetimeSeconds: USUAL_LIFETIMES_SECONDS.quote,
    approvedLifetimeSeconds: USUAL_LIFETIMES_SECONDS.approved,
    createdAt: now,
    createdBy: "system",
  });
}

function row(code: string, [USDT, USDC]: [string, string], spreadBps: number, fee: string, minimum: bigint, maximum: bigint): SeedCurrency {
  return { code, rates: { USDT, USDC }, spreadBps, fee, minimum, maximum };
}

/** The initial balances with the simulated provider, in major units. */
const SEED_POOLS: Readonly<Record<string, bigint>> = {
  KES: 20_000_000n,
  USD: 150_000n,
  EUR: 140_000n,
  NGN: 220_000_000n,
  PHP: 9_000_000n,
  JPY: 23_000_000n,
  KWD: 46_000n,
};

/** A withdrawal may exceed the initial pool, so that an empty pool can be tested without emptying one. */
const MAXIMUM_OF_TOTAL = 2n;
const LOW_WATER_PART = 5n;

/** The pools of a sandbox with their initial balances; an existing one stays as it is. */
export async function seedPools(db: Database, now: Date): Promise<void> {
  for (const [currency, total] of Object.entries(SEED_POOLS)) {
    const fiat = findFiatCurrency(currency);
    if (fiat === null) throw new Error(`${currency} is no currency`);
    const unit = powerOfTen(fiat.exponent);
    const totalMinor = total * unit;
    const limits = { minimumMinor: unit, maximumMinor: totalMinor * MAXIMUM_OF_TOTAL, lowWaterMinor: totalMinor / LOW_WATER_PART };
    await insertPool(db, { currency, totalMinor, ...limits }, now);
  }
}
