import { poolFundingBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { changePoolTotal, findPool, lockPool } from "#db/queries/fiat/fiat-pools.ts";
import { hasPosted, insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { By } from "#domain/access.ts";
import { availableMinor } from "#domain/fiat.ts";
import { poolFunded } from "#domain/ledger.ts";
import { fiatAmount } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import type { Uses } from "#server/context.ts";
import { type ProposalKind, propose } from "#server/services/proposals/propose.ts";

export type FundPool = {
  by: By;
  currency: string;
  /** Below zero: taken out of the pool. */
  amountMinor: bigint;
  /** Identifies one payment into the pool: a reference is booked once. */
  reference: string;
  now: Date;
};

/**
 * Books what the operator has paid into a fiat pool with the provider, in the caller's transaction. Returns false, and changes nothing, if
 * that reference is booked already.
 *
 * @throws Refusal `not_found` when there is no pool of that currency, `insufficient_liquidity` when a removed amount is promised
 */
export async function fundPool(tx: Database, { by, currency, amountMinor, reference, now }: FundPool): Promise<boolean> {
  const entry = poolFunded(currency, amountMinor, reference);
  // Under the pool's lock two of the same reference come one after the other.
  const pool = await lockPool(tx, currency);
  if (pool === null) throw new Refusal("not_found", { detail: "There is no such pool." });
  if (await hasPosted(tx, entry)) return false;
  if (availableMinor(pool) + amountMinor < 0n) {
    throw new Refusal("insufficient_liquidity", { detail: `Only ${availableMinor(pool)} of the ${currency} pool is not reserved.` });
  }
  await changePoolTotal(tx, currency, amountMinor, now);
  await insertLedgerEntry(tx, entry, now);
  const change = { amount: amountMinor.toString(), reference };
  await insertAuditEntry(tx, { by, partnerId: null, action: "pool.funded", objectId: currency, change, now });
  return true;
}

type Body = ReturnType<typeof poolFundingBody.parse>;

/** In live mode two people book money into a fiat pool. */
export const POOL_FUNDING: ProposalKind<Body, boolean, object> = {
  kind: "pool_funding",
  permission: "administer",
  schema: poolFundingBody,
  show: ({ currency, amount_minor, reference }) => ({ currency, amount: fiatAmount(BigInt(amount_minor), currency), reference }),
  carryOut: async ({ db: tx }, { by, body }) => {
    const { currency, amount_minor: amount, reference } = body;
    return await fundPool(tx, { by, currency, amountMinor: BigInt(amount), reference, now: await readBusinessNow(tx) });
  },
};

export type ProposePoolFunding = Omit<FundPool, "now"> & { reason: string };

/**
 * Proposes to book what the operator has paid into a fiat pool with the provider. In the sandbox it is booked at once.
 *
 * @returns whether it was booked; false for a reference that was booked before; null while it waits for the second person
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `insufficient_liquidity`, `conflict` when that reference is proposed already
 */
export async function proposePoolFunding(ctx: Uses<"db" | "clock" | "mode">, command: ProposePoolFunding): Promise<boolean | null> {
  const { by, currency, amountMinor, reference, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  if ((await findPool(ctx.db, currency)) === null)
    throw new Refusal("not_found", {
      detail: `There is no pool of ${currency}. To open one, add --minimum and --maximum to npm run fund-pool.`,
    });
  const body = { currency, amount_minor: amountMinor.toString(), reference };
  return (await propose(ctx, POOL_FUNDING, { by, subject: `${currency} ${reference}`, body, reason })).result;
}

export type FundSandboxPool = { by: By; currency: string; amountMinor: bigint /** The same one is booked once. */; reference: string };

/**
 * Adds play money to a pool of the sandbox. In live mode `npm run fund-pool` proposes to book real deposits.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found` without such a pool
 */
export async function fundSandboxPool(ctx: Uses<"db" | "clock" | "mode">, { by, ...funding }: FundSandboxPool): Promise<void> {
  refuseUnlessAdministrator(by, ctx.clock.now());
  if (ctx.mode !== "sandbox") throw new Refusal("forbidden", { detail: "Only the sandbox has play money." });
  await ctx.db.transaction(async (tx) => {
    await fundPool(tx, { by, ...funding, now: await readBusinessNow(tx) });
  });
}
