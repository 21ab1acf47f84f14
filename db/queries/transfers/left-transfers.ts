import { type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { transfers } from "#db/schema/transfers.ts";
import { wakeWorkers } from "#db/wake-workers.ts";

/** What one worker leaves to others, whose wallets can pay it: of a token (null: of the native coin) what is so much or more; or all that any wallet may make. */
export type Left = { tokenAddress: string | null; fromBase: bigint } | "all";

/** Said of queued transfers that a worker takes, with `and`; undefined where nothing is left. What only one wallet may make is never left. */
export function isNotLeft(left: readonly Left[]): SQL | undefined {
  if (left.length === 0) return undefined;
  const { callSender, callData, tokenAddress, amountBase } = transfers;
  if (left.includes("all")) return sql`${callSender} is not null`;
  const amounts = left.flatMap((one) =>
    one === "all" ? [] : [{ token: one.tokenAddress?.toLowerCase() ?? "", base: one.fromBase.toString() }],
  );
  return sql`(${callData} is not null or not exists (
    select 1 from jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb) as l(token text, base numeric)
    where l.token = coalesce(lower(${tokenAddress}), '') and ${amountBase} >= l.base))`;
}

/** Tells the others that something is due that is theirs. */
export async function notifyOthers(db: Database): Promise<void> {
  await wakeWorkers(db, "transfers");
}
