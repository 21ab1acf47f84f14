import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { sumGasSince } from "#db/queries/transfers/gas-use.ts";
import { isFeeTooLarge } from "#domain/gas.ts";
import { exactText } from "#domain/money.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { LeasedWallet, Pass } from "#server/engines/payments/engine.ts";

const HOUR_MS = 3_600_000;

/** What a wallet may still spend on fees within this hour; null: any amount. Read from the database in each pass, so a restart forgets nothing. */
export async function gasLeft({ engine, chain }: Pass, { row }: LeasedWallet): Promise<bigint | null> {
  const { hourlyBase } = chain.feeLimits;
  if (hourlyBase === null) return null;
  const { db } = engine.ctx;
  const now = await readBusinessNow(db);
  return hourlyBase - (await sumGasSince(db, row.id, new Date(now.getTime() - HOUR_MS)));
}

/** Why a payment waits for lower fees or the next hour; null: it may be signed. `mostBase`: the fee at most, `nowBase`: at the present price. */
export function feeTrouble(
  { chain }: Pass,
  transfer: Transfer,
  { address, left, mostBase, nowBase }: { address: string; left: bigint | null; mostBase: bigint; nowBase: bigint },
): string | null {
  const { native, feeLimits } = chain;
  if (left !== null && mostBase > left)
    return `Treasury wallet ${address} has spent this hour's budget for the network's fees: it pays again when there is room.`;
  if (!isFeeTooLarge(feeLimits, { base: nowBase, decimals: native.decimals }, transfer)) return null;
  const percent = exactText(feeLimits.shareBps, 2);
  return `The network's fee, about ${exactText(nowBase, native.decimals)} ${native.currency}, is more than ${percent} % of the payment: it waits for a lower one.`;
}
