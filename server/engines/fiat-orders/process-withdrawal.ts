import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import type { FiatEngine, LeasedOrder } from "./engine.ts";
import { restWhileHalted } from "./rest-while-halted.ts";
import { sweepSafe } from "./sweep-safe.ts";
import { talkToProvider } from "./talk-to-provider.ts";

/**
 * The worker's step with a withdrawal: the crypto is swept first, and only when that is final is the provider told to pay. Nothing is
 * taken while nothing may be paid.
 */
export async function processWithdrawal(engine: FiatEngine, held: LeasedOrder): Promise<void> {
  const withdrawal = await findWithdrawal(engine.ctx.db, held.lease.id);
  if (withdrawal?.step === "reserved" && !(await restWhileHalted(engine, held))) await sweepSafe(engine, held, withdrawal);
  if (withdrawal?.step !== "paying_out") return;
  const { id, amountMinor, currency, destination } = withdrawal;
  await talkToProvider(engine, held, () => engine.rail.payOut({ id, amountMinor, currency, account: destination }));
}
