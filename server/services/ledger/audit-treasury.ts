import type { RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import { formatDecimal } from "#domain/decimal.ts";
import type { Uses } from "#server/context.ts";
import type { AnsweringChain } from "./answering-chain.ts";
import { Findings } from "./audit-report.ts";
import { heldBeforeTransfers, measureTreasury, type TreasuryMeasure } from "./measure-treasury.ts";

/** The wallets hold what the ledger says, to the last base unit: of the native coin as well, whose fees are booked one by one. */
export async function auditTreasury(ctx: Uses<"db">, chain: AnsweringChain): Promise<RuleOutcome> {
  const findings = new Findings();
  for (const measure of await measureTreasury(ctx, chain)) {
    const token = chain.info.tokens.find(({ currency }) => currency === measure.currency);
    const before = measure.opened || token === undefined ? 0n : await heldBeforeTransfers(ctx, chain, token);
    // Books that are not open yet hold movements alone; where nobody knows what was there before them, nothing can be said.
    if (before !== null) findings.check(`${measure.chain} ${measure.currency}`, treasuryFaults(measure, before), measure.chain);
  }
  return findings.outcome("treasury_is_there", "the wallets hold what the ledger says, and never less");
}

/** What is missing; and, where the books are not open yet, what is there and cannot be explained. */
function treasuryFaults(measure: TreasuryMeasure, before: bigint): string[] {
  const surplus = measure.heldBase - measure.bookedBase - before;
  const units = (base: bigint) => formatDecimal({ coefficient: base, scale: measure.decimals });
  if (surplus < 0n) return [`${units(-surplus)} ${measure.currency} is missing at height ${measure.height}`];
  if (surplus > 0n && !measure.opened) return [`${units(surplus)} ${measure.currency} more than our own transfers explain`];
  return [];
}
