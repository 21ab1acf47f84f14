import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { insertUnexplained } from "#db/queries/transfers/unexplained-payments.ts";
import { type ForeignTransaction, movementsIn } from "#domain/foreign-transaction.ts";

type Foreign = {
  chain: string;
  /** Who made the transactions. */
  wallet: string;
  /** Keep only what these addresses lost; default: everything that the transactions moved. */
  outOf?: readonly string[];
};

/** Keeps what unknown transactions moved, so that later payments to the same recipients wait for people. Repeatable. */
export async function keepUnexplained(
  tx: Database,
  { chain, wallet, outOf }: Foreign,
  transactions: readonly ForeignTransaction[],
): Promise<void> {
  const losers = outOf && new Set(outOf.map((address) => address.toLowerCase()));
  const foundAt = await readBusinessNow(tx);
  const payments = transactions.flatMap((transaction) => {
    const { nonce, height } = transaction;
    const about = { chain, hash: transaction.hash.toLowerCase(), wallet: wallet.toLowerCase(), nonce, height, foundAt };
    const movements = movementsIn(transaction, wallet).filter(({ sender }) => losers === undefined || losers.has(sender));
    return movements.map((movement) => ({ ...about, ...movement }));
  });
  await insertUnexplained(tx, payments);
}
