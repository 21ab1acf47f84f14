import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { insertBookHeight, listBookHeights } from "#db/queries/transfers/treasury-books.ts";
import { listUnexplainedTokens } from "#db/queries/transfers/unexplained-payments.ts";
import { exactText } from "#domain/money.ts";
import { treasuryFunded } from "#domain/treasury-entries.ts";
import type { Uses } from "#server/context.ts";
import { EvmRejected, Unreachable } from "#server/ports.ts";
import { type AnsweringChain, findAnsweringNode } from "./answering-chain.ts";
import { measureTreasury, type TreasuryMeasure } from "./measure-treasury.ts";

/** Treasury movements that no transfer of ours made. */
export type TreasuryNews = {
  chain: string;
  currency: string;
  amountBase: bigint;
  decimals: number;
  what: "opened" | "funded";
};

/**
 * Begins the books of a chain's wallets, token by token, as soon as there is a balance: it is booked, and from that block on only movements
 * count. Every node of the chain must show the same. Reads only tokens whose books have not begun.
 *
 * A version before this one booked deposits by the difference of balances. Its books go on: what came in until now is booked once more like that,
 * but not while something that left is unexplained, because the deposit would hide a part of it.
 */
export async function openTreasury(ctx: Uses<"db">, chain: AnsweringChain): Promise<TreasuryNews[]> {
  const begun = await listBookHeights(ctx.db, chain.info.chain);
  const closed = chain.info.tokens.filter(({ currency }) => !begun.has(currency));
  if (closed.length === 0) return [];
  const lost = await listUnexplainedTokens(ctx.db, chain.info.chain);
  const news: TreasuryNews[] = [];
  for (const measure of await measureTreasury(
    ctx,
    chain,
    closed.map(({ currency }) => currency),
  )) {
    const token = closed.find(({ currency }) => currency === measure.currency);
    const isExplained = !measure.opened || !lost.includes(token?.address?.toLowerCase() ?? null);
    if (measure.isSteady && isExplained) news.push(...(await begin(ctx, chain, measure)));
  }
  return news;
}

async function begin(ctx: Uses<"db">, answering: AnsweringChain, measure: TreasuryMeasure): Promise<TreasuryNews[]> {
  const { chain, currency, decimals, height, opened } = measure;
  const surplus = measure.heldBase - measure.bookedBase;
  if (surplus < 0n || (surplus === 0n && !opened) || !(await isWitnessed(ctx, answering, { ...measure, surplus }))) return [];
  const step = opened ? "funded" : "opened";
  const reference = opened ? `${chain}:${currency}:${height}` : `${chain}:${currency}`;
  const isMine = await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    if (!(await insertBookHeight(tx, { chain, currency, height, now }))) return false;
    if (surplus > 0n) await insertLedgerEntry(tx, treasuryFunded({ currency, chain, decimals }, surplus, { step, reference }), now);
    return true;
  });
  return isMine && surplus > 0n ? [{ chain, currency, decimals, amountBase: surplus, what: step }] : [];
}

/** Whether each other node of the chain, by its own balances and receipts, shows the same surplus. One that is silent or behind does not. */
async function isWitnessed(
  ctx: Uses<"db">,
  { info, node: first }: AnsweringChain,
  { currency, surplus }: TreasuryMeasure & { surplus: bigint },
): Promise<boolean> {
  for (const node of info.nodes.filter((one) => one !== first)) {
    try {
      const [seen] = await measureTreasury(ctx, { info, node }, [currency]);
      if (seen === undefined || !seen.isSteady || seen.heldBase - seen.bookedBase !== surplus) return false;
    } catch (error) {
      if (!(error instanceof Unreachable) && !(error instanceof EvmRejected)) throw error;
      return false;
    }
  }
  return true;
}

/**
 * Opens the treasury's books as soon as a chain's wallets are known and hold something. Tokens with open books are not read again. Once all
 * of a chain's tokens are open, this process does not ask the chain again.
 */
export function keepTreasuryOpen(ctx: Uses<"db" | "evm" | "log">): { run(): Promise<void> } {
  const open = new Set<string>();
  return {
    async run() {
      for (const chain of ctx.evm.list()) {
        if (open.has(chain.chain)) continue;
        const answering = await findAnsweringNode(chain);
        if (answering === null) continue;
        for (const { chain: name, currency, amountBase, decimals } of await openTreasury(ctx, answering)) {
          ctx.log.info({ chain: name, currency, units: exactText(amountBase, decimals) }, "the treasury's books are open");
        }
        const begun = await listBookHeights(ctx.db, chain.chain);
        if (chain.tokens.every(({ currency }) => begun.has(currency))) open.add(chain.chain);
      }
    },
  };
}
