import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wakeWorkers } from "#db/wake-workers.ts";

/**
 * Transfers that one worker leaves to others, whose wallets can pay them: those of a token (null: the native coin) from an amount on; or
 * all that any wallet may pay.
 */
export type Left = { tokenAddress: string | null; fromBase: bigint } | "all";

/** Said of queued transfers that a worker takes, with `and`; undefined where nothing is left. What only one wallet may make is never left. */
export function isNotLeft(left: readonly Left[]): SQL | undefined {
  if (left.length === 0) return undefined;
  const { callSender, callData, tokenAddress, amountBase } = transfers;
  if (left.includes("all")) return sql`${callSender} is not null`;
  const amounts = left.flatMap((one) =>
    one === "all" ? [] : [{ token: one.tokenAddress?.toLowerCase() ?? "", base: one.fromBase.toString() }],
  );
  return sql`(${callData} is not null or ${callSender} is not null or not exists (
    select 1 from jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb) as l(token text, base numeric)
    where l.token = coalesce(lower(${tokenAddress}), '') and ${amountBase} >= l.base))`;
}

/** Notifies the other workers that they have due transfers. */
export async function notifyOthers(db: Database): Promise<void> {
  await wakeWorkers(db, "transfers");
}
