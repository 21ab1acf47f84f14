import type { AuditViolation, RuleOutcome } from "#db/queries/audit/rules/rule.ts";
import { listNewestCosts } from "#db/queries/ledger/network-fees.ts";
import { listUnderway } from "#db/queries/transfers/treasury-movements.ts";
import { formatDecimal } from "#domain/decimal.ts";
import type { Uses } from "#server/context.ts";
import type { AnsweringChain } from "./answering-chain.ts";
import { Findings } from "./audit-report.ts";
import { heldBeforeTransfers, measureTreasury, type TreasuryMeasure } from "./measure-treasury.ts";

/** Where coins are missing: how many of the newest transactions to compare with their receipts, and how many differences to name. */
const COMPARED = 2_000;
const NAMED = 5;
const AT_ONCE = 8;

/** The wallets hold what the ledger says, to the last base unit, including the native coin, whose fees are booked individually. */
export async function auditTreasury(ctx: Uses<"db">, chain: AnsweringChain): Promise<RuleOutcome> {
  const findings = new Findings();
  for (const measure of await measureTreasury(ctx, chain)) {
    const token = chain.info.tokens.find(({ currency }) => currency === measure.currency);
    const before = measure.opened || token === undefined ? 0n : await heldBeforeTransfers(ctx, chain, token, measure);
    // Before the books are open they contain only movements. Unless the earlier balance is known, nothing can be said.
    if (before === null) continue;
    const surplus = measure.heldBase - measure.bookedBase - measure.earlyBase - before;
    const whose = surplus < 0n && token?.address === null ? await nameCosts(ctx, chain, measure.height) : "";
    findings.checkAmount(`${measure.chain} ${measure.currency}`, treasuryFaults(measure, surplus, whose), measure.chain);
  }
  return findings.outcome("treasury_is_there", "the wallets hold what the ledger says, and never less");
}

/** Missing amounts and, while the books are not open, unexplained ones. */
function treasuryFaults(
  { currency, decimals, height, opened }: TreasuryMeasure,
  surplus: bigint,
  whose: string,
): Pick<AuditViolation, "detail" | "missingBase">[] {
  const units = (base: bigint) => formatDecimal({ coefficient: base, scale: decimals });
  if (surplus < 0n) return [{ detail: `${units(-surplus)} ${currency} is missing at height ${height}${whose}`, missingBase: -surplus }];
  if (surplus > 0n && !opened) return [{ detail: `${units(surplus)} ${currency} more than our own transfers explain` }];
  return [];
}

/** Which of the newest transactions have another fee than booked. Those in flight are measured by their receipts instead. */
async function nameCosts({ db }: Uses<"db">, { info, node }: AnsweringChain, height: number): Promise<string> {
  const underway = new Set((await listUnderway(db, info.chain)).flatMap(({ attempts }) => attempts.map(({ hash }) => hash)));
  const newest = await listNewestCosts(db, { chain: info.chain, height, limit: COMPARED });
  const asked = newest.filter(({ hash }) => !underway.has(hash));
  const differing: string[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const some = asked.slice(from, from + AT_ONCE);
    const receipts = await Promise.all(some.map(({ hash }) => node.receipt(hash)));
    for (const [index, { hash, bookedBase }] of some.entries()) {
      const receipt = receipts[index];
      const cost = receipt && receipt.blockHeight <= height ? receipt.feeBase : 0n;
      if (cost !== bookedBase) differing.push(`${hash} cost ${cost}, and ${bookedBase} is booked`);
    }
  }
  if (differing.length === 0) return "";
  const more = differing.length > NAMED ? `; and ${differing.length - NAMED} more` : "";
  return `: ${differing.slice(0, NAMED).join("; ")}${more}`;
}
