import type { Database } from "#db/client.ts";
import { allowLongStatements } from "#db/queries/audit-rule.ts";
import { readBookedFees, readBookedTreasury } from "#db/queries/ledger-balances.ts";
import { blockBeforeTransfers, listUnderway, sumMovedAbove, sumSignedFees } from "#db/queries/treasury-movements.ts";
import { listWalletAddresses } from "#db/queries/wallets.ts";
import type { Uses } from "#server/context.ts";
import { judgeReceipt } from "#server/domain/transfer-proof.ts";
import { EvmRejected, type TokenInfo } from "#server/ports.ts";
import { type AnsweringChain, finalHeightOf } from "./answering-chain.ts";

/** What the wallets of a chain hold of a token at a final height, beside what the ledger says that they then held. */
export type TreasuryMeasure = {
  chain: string;
  currency: string;
  decimals: number;
  height: number;
  heldBase: bigint;
  bookedBase: bigint;
  /** Whether the ledger knows what they held when the books began. */
  opened: boolean;
  /** The most that the network can have taken of it and that is not booked yet; 0 of a token. */
  feesBase: bigint;
};

/**
 * Compares at a height that is final, so that no reorganisation can touch it. The ledger has what ended since as well, and does not
 * have what is in a block and not ended yet: the one is taken off, the other, by its receipt, added.
 */
export async function measureTreasury(ctx: Uses<"db">, chain: AnsweringChain): Promise<TreasuryMeasure[]> {
  const name = chain.info.chain;
  const height = await finalHeightOf(chain);
  const wallets = await listWalletAddresses(ctx.db, name);
  if (wallets.length === 0) return [];
  const held = new Map<string, bigint>();
  for (const token of chain.info.tokens) held.set(token.currency, await sumBalances(chain, wallets, token, height));
  const booked = await ctx.db.transaction((tx) => readBooks(tx, chain, height), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
  const landed = await sumLanded(chain, booked.underway, height);
  return chain.info.tokens.map(({ currency, decimals, address }) => {
    const book = booked.tokens.get(currency) ?? { amount: 0n, opened: false };
    return {
      chain: name,
      currency,
      decimals,
      height,
      heldBase: held.get(currency) ?? 0n,
      bookedBase: book.amount + (landed.get(currency) ?? 0n),
      opened: book.opened,
      feesBase: address === null ? booked.fees : 0n,
    };
  });
}

/** What they held before the first transfer, where a node still knows; null where none does. */
export async function heldBeforeTransfers(ctx: Uses<"db">, chain: AnsweringChain, token: TokenInfo): Promise<bigint | null> {
  const before = await blockBeforeTransfers(ctx.db, chain.info.chain);
  if (before === null) return null;
  try {
    return await sumBalances(chain, await listWalletAddresses(ctx.db, chain.info.chain), token, before);
  } catch (error) {
    if (error instanceof EvmRejected) return null;
    throw error;
  }
}

async function sumBalances({ node }: AnsweringChain, wallets: readonly string[], token: TokenInfo, height: number): Promise<bigint> {
  let sum = 0n;
  for (const wallet of wallets) sum += await node.balance(wallet, token.address, height);
  return sum;
}

async function readBooks(tx: Database, { info }: AnsweringChain, height: number) {
  await allowLongStatements(tx);
  const tokens = new Map<string, { amount: bigint; opened: boolean }>();
  for (const { currency } of info.tokens) {
    const token = { chain: info.chain, currency };
    const { amount, opened } = await readBookedTreasury(tx, token);
    tokens.set(currency, { amount: amount - (await sumMovedAbove(tx, token, height)), opened });
  }
  // Twice: some chains charge for the data on top of what was signed for.
  const most = (await sumSignedFees(tx, info.chain)) * 2n;
  const paid = await readBookedFees(tx, info.chain);
  return { tokens, underway: await listUnderway(tx, info.chain), fees: most > paid ? most - paid : 0n };
}

/** What is on its way to its end and stands in a block down to the height already. */
async function sumLanded({ node }: AnsweringChain, underway: Awaited<ReturnType<typeof listUnderway>>, height: number) {
  const landed = new Map<string, bigint>();
  for (const { transfer, hashes } of underway) {
    for (const hash of hashes) {
      const receipt = await node.receipt(hash);
      if (receipt === null || !receipt.succeeded || receipt.blockHeight > height) continue;
      if (judgeReceipt(transfer, receipt.logs).type !== "execute") continue;
      const moved = transfer.purpose === "sweep" ? transfer.amountBase : -transfer.amountBase;
      landed.set(transfer.currency, (landed.get(transfer.currency) ?? 0n) + moved);
    }
  }
  return landed;
}
