import { restOrder } from "#db/queries/fiat/fiat-work.ts";
import { findWithdrawal } from "#db/queries/fiat/withdrawals.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import type { FiatEngine, LeasedOrder } from "./engine.ts";
import { restWhileHalted } from "./rest-while-halted.ts";
import { sweepSafe } from "./sweep-safe.ts";
import { notConfigured, talkToProvider } from "./talk-to-provider.ts";

const REST_SECONDS = 60;

/**
 * The worker's step with a withdrawal: it sweeps the crypto first, and only when that is final asks the provider to pay. Nothing is taken
 * while nothing may be paid.
 */
export async function processWithdrawal(engine: FiatEngine, held: LeasedOrder): Promise<void> {
  const withdrawal = await findWithdrawal(engine.ctx.db, held.lease.id);
  if (withdrawal?.step === "reserved") await sweepUnlessBarred(engine, held, withdrawal);
  if (withdrawal?.step !== "paying_out") return;
  const { id, amountMinor, currency, destination } = withdrawal;
  await talkToProvider(engine, held, withdrawal, (rail) => rail.payOut({ id, amountMinor, currency, account: destination }));
}

/** Nothing is taken yet: while its provider cannot pay, the crypto stays in the Safe, and the order continues by itself. */
async function sweepUnlessBarred(engine: FiatEngine, held: LeasedOrder, withdrawal: Withdrawal): Promise<void> {
  const { provider } = withdrawal;
  if (await restWhileHalted(engine, held, provider)) return;
  if (engine.rails.of(provider) !== null) return await sweepSafe(engine, held, withdrawal);
  await restOrder(engine.ctx.db, held.table, held.lease, { seconds: REST_SECONDS, reason: notConfigured(provider), tried: false });
}
