import { seeLines } from "#db/queries/transfers/suspense-lines.ts";
import type { Holder, LineDirection, SuspenseLine } from "#domain/suspense-line.ts";
import type { Uses } from "#server/context.ts";
import type { EvmChain, EvmNode } from "#server/ports.ts";
import { haltForOutflow } from "./halt-for-outflow.ts";

/** `ours`: the addresses of that kind. */
export type Watched = { chain: EvmChain; node: EvmNode; holder: Holder; ours: readonly string[] };

/** Keeps what one node shows and nothing explains, logs what is new, and halts the wallets that lost something. */
export async function suspendLines(ctx: Uses<"db" | "log">, watched: Watched, lines: readonly SuspenseLine[]): Promise<void> {
  const { chain, holder } = watched;
  const found = await seeLines(ctx.db, lines);
  const isNew = new Set(found.map(({ hash, place }) => `${hash} ${place}`));
  for (const { hash, place, direction, amountBase, currency, decimals, sender, recipient } of lines) {
    if (!isNew.has(`${hash} ${place}`)) continue;
    const level = direction === "in" ? "warn" : "error";
    const fields = { chain: chain.chain, holder, direction, hash, currency, decimals, amount: String(amountBase), sender, recipient };
    ctx.log[level](fields, "a movement that no payment of ours explains is in suspense");
  }
  if (holder === "wallet")
    await haltForOutflow(
      ctx,
      watched,
      lines.filter(({ direction }) => direction !== "in"),
    );
}

export function directionOf(isFromUs: boolean, isToUs: boolean): LineDirection {
  if (isFromUs && isToUs) return "within";
  return isFromUs ? "out" : "in";
}
