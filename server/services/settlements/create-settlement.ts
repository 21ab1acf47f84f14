import { insertQuoted } from "#db/queries/settlements/insert-quoted.ts";
import type { Settlement } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { rememberDestination } from "#server/services/screening/known-destinations.ts";
import { quoteSettlements, type ToQuote } from "./quote-settlements.ts";

export type CreateSettlement = Omit<ToQuote, "batchId" | "externalTxId">;

/**
 * Creates a settlement with a guaranteed rate until `expiresAt` (specification, parts 1 and 4), or one that waits for approval.
 *
 * @throws Refusal as {@link quoteSettlements}.
 */
export async function createSettlement(ctx: Uses<"db" | "chains">, command: CreateSettlement): Promise<Settlement> {
  const quoted = await quoteSettlements(ctx, [command]);
  const [made] = quoted;
  if (made === undefined) throw new Error("one command makes one quote");
  await insertQuoted(ctx.db, quoted);
  rememberDestination(made.settlement);
  return made.settlement;
}
