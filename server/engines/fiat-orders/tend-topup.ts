import { findTopup, savePaymentAdvice } from "#db/queries/fiat/topups.ts";
import type { FiatEngine, HeldOrder } from "./engine.ts";
import { talkToProvider } from "./talk-to-provider.ts";

/** The worker's step with a top-up: the provider is to collect, or is asked whether it has. */
export async function tendTopup(engine: FiatEngine, held: HeldOrder): Promise<void> {
  const topup = await findTopup(engine.ctx.db, held.lease.id);
  if (topup?.step !== "collecting") return;
  const { id, amountMinor, currency, source } = topup;
  const answer = await talkToProvider(engine, held, () =>
    engine.rail.collect({ id, amountMinor, currency, account: { ...source, name: null } }),
  );
  if (answer?.status === "pending" && answer.instructions !== null) await savePaymentAdvice(engine.ctx.db, id, answer.instructions);
}
