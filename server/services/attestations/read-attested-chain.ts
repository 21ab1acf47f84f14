import { listDeployedSafes } from "#db/queries/attestations/attested-books.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import type { AttestedChain } from "#domain/attestation.ts";
import type { Uses } from "#server/context.ts";
import { type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { type AnsweringChain, finalHeightOf } from "#server/services/ledger/answering-chain.ts";

const AT_ONCE = 8;

/** Two nodes give different answers about a block, or the configured second one gives none. */
export class Unconfirmed extends Error {
  override readonly name = "Unconfirmed";
}

type Asked = { address: string; currency: string; decimals: number; token: string | null };

/**
 * What a chain's treasury wallets and Safes hold at a final block. Where other nodes are configured, at least one of them must give the
 * same answers, and none another.
 *
 * @throws Unconfirmed
 */
export async function readAttestedChain(ctx: Uses<"db">, chain: AnsweringChain): Promise<AttestedChain> {
  const { info, node } = chain;
  const height = await finalHeightOf(chain);
  const hash = (await node.block(height))?.hash;
  if (hash === undefined) throw new Unconfirmed(`${info.chain}: ${node.name} has no block ${height}`);
  const witnesses: EvmNode[] = [];
  for (const other of info.nodes) if (other !== node && (await agrees(other, height, hash))) witnesses.push(other);
  if (info.nodes.length > 1 && witnesses.length === 0) throw new Unconfirmed(`${info.chain}: no second node confirms block ${height}`);
  const wallets = await listWalletAddresses(ctx.db, info.chain);
  const safes = await listDeployedSafes(ctx.db, info.chain);
  const asked: Asked[] = [...wallets, ...safes].flatMap((address) =>
    info.tokens.map(({ currency, decimals, address: token }) => ({ address, currency, decimals, token })),
  );
  const amounts = await readBalances([node, ...witnesses.slice(0, 1)], asked, height);
  if ((await node.block(height))?.hash !== hash) throw new Unconfirmed(`${info.chain}: block ${height} changed while it was read`);
  const balances = asked.map(({ address, currency, decimals }, index) => ({
    address,
    currency,
    decimals,
    amount: String(amounts[index] ?? 0n),
  }));
  return {
    chain: info.chain,
    height,
    hash,
    confirmed_by: witnesses.length,
    wallets: wallets.length,
    safes: safes.length,
    balances: balances.filter(({ amount }) => amount !== "0"),
  };
}

/** Whether another node has the block. False: it does not answer, or does not know that height yet. */
async function agrees(other: EvmNode, height: number, hash: string): Promise<boolean> {
  let block: Awaited<ReturnType<EvmNode["block"]>>;
  try {
    block = await other.block(height);
  } catch (error) {
    if (error instanceof Unreachable || error instanceof EvmRejected) return false;
    throw error;
  }
  if (block !== null && block.hash !== hash) throw new Unconfirmed(`${other.name} has another block ${height} than ${hash}`);
  return block !== null;
}

async function readBalances(nodes: readonly EvmNode[], asked: readonly Asked[], height: number): Promise<bigint[]> {
  const amounts: bigint[] = [];
  for (let from = 0; from < asked.length; from += AT_ONCE)
    amounts.push(...(await Promise.all(asked.slice(from, from + AT_ONCE).map((each) => readBalance(nodes, each, height)))));
  return amounts;
}

async function readBalance(nodes: readonly EvmNode[], { address, currency, token }: Asked, height: number): Promise<bigint> {
  const [said, ...others] = await Promise.all(nodes.map((node) => node.balance(address, token, height)));
  if (said === undefined) throw new Error("no node was asked");
  if (others.some((other) => other !== said))
    throw new Unconfirmed(`the nodes give different balances of ${currency} for ${address} at block ${height}`);
  return said;
}
