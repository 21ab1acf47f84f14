import type { JournalState } from "#domain/journal.ts";
import { type EvmChain, Rejected, Unreachable } from "#server/ports.ts";
import type { Desk } from "./desk.ts";

/**
 * Why nothing empty is signed under a nonce; null if it may be. An empty transaction needs no order, so anyone who reaches the signer could ask
 * for one under a very high nonce. That would raise the wallet's mark, and halt its chain for good. It is signed only where something was
 * signed, or directly behind.
 */
export async function nonceFault(
  { fresh }: Desk,
  chain: EvmChain,
  state: JournalState,
  place: { wallet: string; nonce: number },
): Promise<string | null> {
  const wallet = place.wallet.toLowerCase();
  const mark = state.marks(chain.chain).find((one) => one.wallet === wallet)?.mark ?? -1;
  const signed = [...fresh.values()].filter((one) => one.chain === chain.chain && one.wallet === wallet).map(({ nonce }) => nonce ?? -1);
  if (place.nonce <= Math.max(mark, ...signed) + 1) return null;
  return place.nonce <= (await usedOn(chain, wallet)) ? null : `Nonce ${place.nonce} is not the wallet's next one.`;
}

/** How many nonces every node has seen used. */
async function usedOn({ nodes }: EvmChain, wallet: string): Promise<number> {
  try {
    return Math.min(...(await Promise.all(nodes.map((node) => node.nonce(wallet, "latest")))));
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Rejected) return -1;
    throw error;
  }
}
