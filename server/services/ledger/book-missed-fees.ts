import type { AuditScope } from "#db/queries/audit/rules/rule.ts";
import { listUnbookedAttempts } from "#db/queries/ledger/network-fees.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import type { Uses } from "#server/context.ts";
import type { AnsweringChain } from "./answering-chain.ts";
import { bookNetworkFees } from "./book-network-fee.ts";

const AT_MOST = 10_000;

/**
 * Books the fees of transactions that ended before fees were read from receipts. Since the engine books them, there are none; an audit rule
 * checks that.
 */
export async function bookMissedFees(ctx: Uses<"db">, { info, node }: AnsweringChain, scope: AuditScope): Promise<number> {
  let booked = 0;
  for (const { hash, transferId } of await listUnbookedAttempts(ctx.db, { chain: info.chain, scope, limit: AT_MOST })) {
    const receipt = await node.receipt(hash);
    if (receipt === null) continue;
    await ctx.db.transaction(async (tx) => bookNetworkFees(tx, info, [{ transferId, receipt }], await readBusinessNow(tx)));
    booked += 1;
  }
  return booked;
}
