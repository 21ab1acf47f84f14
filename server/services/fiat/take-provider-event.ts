import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";
import { type Heard, hearProvider } from "./hear-provider.ts";

/** A call of the fiat provider's, its signature checked. `kind`: what the address is for that it called. */
export type TakeProviderEvent = Omit<Heard, "source">;

/**
 * Records what the fiat provider calls us about and applies it once (contract, parts 6 and 9). A repetition and a contradiction are
 * taken like any other call: the provider need not call again, and operators see them.
 *
 * @throws Refusal `not_found` for an order that is none of ours, or of the other kind; the call is recorded all the same.
 */
export async function takeProviderEvent(ctx: Uses<"db" | "log" | "mode">, call: TakeProviderEvent): Promise<void> {
  const effect = await ctx.db.transaction((tx) => hearProvider(tx, ctx, { ...call, source: "callback" }));
  const fields = { order_id: call.orderId, status: call.word.status, reference: call.word.reference, effect };
  if (effect === "applied" || effect === "repeated") ctx.log.info(fields, "the fiat provider called");
  else ctx.log.error(fields, "the fiat provider says what cannot be");
  if (effect === "unknown_order") throw new Refusal("not_found", { detail: "There is no such order." });
}
