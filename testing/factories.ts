import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { apiKeys } from "#db/schema/api-keys.ts";
import { businessClock } from "#db/schema/business-clock.ts";
import { partners } from "#db/schema/partners.ts";
import { exchangeRates, pairTerms } from "#db/schema/rates.ts";
import { type By, SCOPES } from "#domain/access.ts";
import { decimal } from "#domain/decimal.ts";
import { newId } from "#domain/ids.ts";
import type { WrittenRule } from "#domain/policy-rule.ts";
import type { ChainDirectory, ChainInfo } from "#server/ports.ts";

/** Set-up for tests of services: rows as the real services would write them, with values that a test may override. */

export const TEST_CHAIN: ChainInfo = {
  chain: "eip155:31337",
  name: "Test chain",
  confirmations: 3,
  explorerUrl: null,
  tokens: [
    { currency: "ETH", address: null, decimals: 18 },
    { currency: "USDT", address: "0x5FbDB2315678afecb367f032d93F642f64180aa3", decimals: 6 },
    { currency: "USDC", address: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512", decimals: 6 },
  ],
};

/** The directory of only {@link TEST_CHAIN}. */
export const testChains: ChainDirectory = {
  list: () => [TEST_CHAIN],
  find: (chain) => (chain === TEST_CHAIN.chain ? TEST_CHAIN : null),
};

export type TestPartner = { partnerId: string; apiKeyId: string; by: By };

/** A partner with one API key. The key has no real secret: nothing can be signed with it. */
export async function addPartner(db: Database, values: Partial<typeof partners.$inferInsert> = {}): Promise<TestPartner> {
  const now = new Date();
  const partnerId = values.id ?? randomUUID();
  const apiKeyId = randomUUID();
  await db.insert(partners).values({
    id: partnerId,
    name: "Test partner",
    slug: `partner-${partnerId}`,
    roles: ["AGGREGATOR"],
    status: "active",
    chargeFeePercentage: "0",
    createdAt: now,
    updatedAt: now,
    ...values,
  });
  await db.insert(apiKeys).values({
    id: apiKeyId,
    partnerId,
    name: "Test key",
    keyHash: apiKeyId,
    lastFour: "0000",
    sealedSecret: "not a secret",
    scopes: [...SCOPES],
    allowedIps: [],
    createdAt: now,
  });
  return { partnerId, apiKeyId, by: { actor: { type: "api_key", apiKeyId, partnerId }, requestId: null } };
}

/** Terms of KES to USDT on {@link TEST_CHAIN}: no spread, a fee of 0.50 USDT, 1.00 to 1,000,000.00 KES. */
export async function addTerms(db: Database, values: Partial<typeof pairTerms.$inferInsert> = {}): Promise<string> {
  const now = new Date();
  const id = newId("terms", now);
  await db.insert(pairTerms).values({
    id,
    sourceCurrency: "KES",
    destinationCurrency: "USDT",
    chain: TEST_CHAIN.chain,
    partnerId: null,
    version: 1,
    enabled: true,
    withdrawn: false,
    spreadBps: 0,
    platformFeeBase: 500_000n,
    minimumSourceMinor: 100n,
    maximumSourceMinor: 100_000_000n,
    quoteLifetimeSeconds: 300,
    approvedLifetimeSeconds: 1_800,
    createdAt: now,
    createdBy: "test",
    ...values,
  });
  return id;
}

/** A fixed mid rate, KES to USDT unless said. */
export async function setRate(db: Database, midRate: string, pair = { sourceCurrency: "KES", destinationCurrency: "USDT" }): Promise<void> {
  const values = { ...pair, midRate: decimal(midRate), source: "test", asOf: new Date(), staleAt: null };
  await db
    .insert(exchangeRates)
    .values(values)
    .onConflictDoUpdate({ target: [exchangeRates.sourceCurrency, exchangeRates.destinationCurrency], set: values });
}

/** Moves business time to this many milliseconds from real time. */
export async function setClockOffset(db: Database, offsetMs: number): Promise<void> {
  await db
    .insert(businessClock)
    .values({ onlyRow: true, offsetMs })
    .onConflictDoUpdate({ target: businessClock.onlyRow, set: { offsetMs } });
}

/** A rule of the approval policy that fits every settlement. */
export const BLANK_RULE: WrittenRule = {
  id: "rule",
  partner_id: null,
  source_currency: null,
  destination_currency: null,
  chain: null,
  amount: null,
  hints: [],
  approvals: 1,
  who: "deciders",
  people: [],
};
