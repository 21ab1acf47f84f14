import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import { isControlledBy, type SafeInfo } from "#domain/safe.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, type EvmNode, EvmRejected, Rejected, Unreachable } from "#server/ports.ts";

/**
 * The answer of the first node, in the configured order, that has one. Call it outside of transactions.
 *
 * @throws Unreachable when none answers
 */
export async function askChain<Answer>(chain: EvmChain, ask: (node: EvmNode) => Promise<Answer>): Promise<Answer> {
  let last: unknown = null;
  for (const node of chain.nodes) {
    try {
      return await ask(node);
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
      last = error;
    }
  }
  throw new Unreachable(`no node of ${chain.chain} answers`, { cause: last });
}

export type OwnSafe = { safe: SafeInfo /** The treasury wallet that may order it about, alone. */; owner: string; chain: EvmChain };

/**
 * A Safe that this service controls: its code and its logic are the canonical ones of 1.3.0 or 1.4.1, and one of the treasury's wallets can
 * act for it alone. Read from the chain, outside of transactions.
 *
 * @throws Rejected if it certainly does not, with a sentence that may be shown; Unreachable when no node answers
 */
export async function readOwnSafe(ctx: Uses<"db" | "evm">, at: { chain: string; safeAddress: string }): Promise<OwnSafe> {
  const chain = ctx.evm.find(at.chain);
  if (chain === null) throw new Rejected("Safes are not supported on this chain.");
  const { safe, proxyCode, logicCode } = await askChain(chain, async (node) => {
    const found = await node.safe(at.safeAddress);
    if (found === null) return { safe: null, proxyCode: "0x", logicCode: "0x" };
    const [proxy, logic] = [await node.code(found.address), await node.code(found.masterCopy)];
    return { safe: found, proxyCode: proxy, logicCode: logic };
  });
  if (safe === null) throw new Rejected("There is no Safe at this address.");
  const [proxy, logic] = [chain.safes.recognise(proxyCode), chain.safes.recognise(logicCode)];
  if (proxy?.contract !== "proxy" || logic?.contract !== "master_copy" || logic.version !== safe.version) {
    throw new Rejected("The Safe does not use the canonical contracts of version 1.3.0 or 1.4.1.");
  }
  const wallets = await listWalletAddresses(ctx.db, chain.chain);
  if (wallets.length === 0) throw new Unreachable(`no worker has opened a treasury wallet on ${chain.chain} yet`);
  const owner = wallets.find((wallet) => isControlledBy(safe, wallet));
  if (owner === undefined) throw new Rejected("The Safe is not controlled by the service.");
  return { safe, owner, chain };
}
