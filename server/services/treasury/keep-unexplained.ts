import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { insertUnexplained } from "#db/queries/transfers/unexplained-payments.ts";
import { type ForeignTransaction, movementsIn } from "#domain/foreign-transaction.ts";

/** Keeps what a wallet's unknown transactions moved, so that later debts to the same recipients wait for people. Repeatable. */
export async function keepUnexplained(
  tx: Database,
  { chain, wallet }: { chain: string; wallet: string },
  transactions: readonly ForeignTransaction[],
): Promise<void> {
  const foundAt = await readBusinessNow(tx);
  const payments = transactions.flatMap((transaction) => {
    const { nonce, height } = transaction;
    const about = { chain, hash: transaction.hash.toLowerCase(), wallet: wallet.toLowerCase(), nonce, height, foundAt };
    return movementsIn(transaction, wallet).map((movement) => ({ ...about, ...movement }));
  });
  await insertUnexplained(tx, payments);
}
