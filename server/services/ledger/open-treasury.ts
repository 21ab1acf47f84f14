import type { Database } from "#db/client.ts";
import { listOpenedTreasuries } from "#db/queries/ledger/ledger-balances.ts";
import { insertLedgerEntry } from "#db/queries/ledger/ledger-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { listUnexplainedTokens } from "#db/queries/transfers/treasury-outflows.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import { type LedgerEntry, treasuryFunded } from "#domain/ledger.ts";
import { exactText } from "#domain/money.ts";
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

/** Books the opening balances of a chain's wallets, token by token, as soon as there are any. Reads only tokens without one. */
export async function openTreasury(ctx: Uses<"db">, chain: AnsweringChain): Promise<TreasuryNews[]> {
  const currencies = chain.info.tokens.map(({ currency }) => currency);
  const open = await listOpenedTreasuries(ctx.db, chain.info.chain, currencies);
  const closed = currencies.filter((currency) => !open.includes(currency));
  if (closed.length === 0) return [];
  const unopened = (await measureTreasury(ctx, chain, closed)).filter(({ opened, isSteady }) => !opened && isSteady);
  return await book(ctx, chain, unopened, (measure, surplus) =>
    treasuryFunded(assetOf(measure), surplus, { step: "opened", reference: `${measure.chain}:${measure.currency}` }),
  );
}

/**
 * Books deposits from outside that every node of the chain shows, after which ledger and wallets agree. Missing amounts are never booked
 * away. Nothing is booked of a token of which something left that nothing explains: the deposit would hide a part of it.
 */
export async function bookTreasury(ctx: Uses<"db">, chain: AnsweringChain): Promise<TreasuryNews[]> {
  const unexplained = await listUnexplainedTokens(ctx.db, chain.info.chain);
  const isExplained = (currency: string) =>
    !chain.info.tokens.some((token) => token.currency === currency && unexplained.includes(token.address?.toLowerCase() ?? null));
  const opened = (await measureTreasury(ctx, chain)).filter(
    ({ currency, opened, isSteady }) => opened && isSteady && isExplained(currency),
  );
  return await book(ctx, chain, opened, (measure, surplus) => {
    const reference = `${measure.chain}:${measure.currency}:${measure.height}`;
    return treasuryFunded(assetOf(measure), surplus, { step: "funded", reference });
  });
}

async function book(
  ctx: Uses<"db">,
  answering: AnsweringChain,
  measures: readonly TreasuryMeasure[],
  entryFor: (measure: TreasuryMeasure, surplus: bigint) => LedgerEntry,
): Promise<TreasuryNews[]> {
  const news: TreasuryNews[] = [];
  for (const measure of measures) {
    const surplus = measure.heldBase - measure.bookedBase;
    if (surplus <= 0n || !(await isWitnessed(ctx, answering, { ...measure, surplus }))) continue;
    const entry = entryFor(measure, surplus);
    if (!(await post(ctx.db, entry))) continue;
    const { chain, currency, decimals } = measure;
    news.push({ chain, currency, decimals, amountBase: surplus, what: entry.step as TreasuryNews["what"] });
  }
  return news;
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

/** Another worker may have been faster: then it is booked. */
async function post(db: Database, entry: LedgerEntry): Promise<boolean> {
  try {
    await db.transaction(async (tx) => insertLedgerEntry(tx, entry, await readBusinessNow(tx)));
    return true;
  } catch (error) {
    if (isUniqueViolation(error, "ledger_entries_once")) return false;
    throw error;
  }
}

function assetOf({ currency, chain, decimals }: TreasuryMeasure) {
  return { currency, chain, decimals };
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
        const currencies = chain.tokens.map(({ currency }) => currency);
        if ((await listOpenedTreasuries(ctx.db, chain.chain, currencies)).length === currencies.length) open.add(chain.chain);
      }
    },
  };
}
