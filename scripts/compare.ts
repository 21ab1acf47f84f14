/**
 * `npm run compare` reads from the chains what the treasury's wallets have sent and the database does not know (after a restore from a
 * backup, or a failover that lost the last commits), and says which debts that are still owed it paid. It changes nothing.
 *
 * `-- --book --by ana@example.com` proposes, in that admin's name, that those debts are booked as paid; in live mode a second admin
 * confirms each in the console, in the sandbox they are booked at once. Where it cannot be told which of several debts alike was paid,
 * `--choose tr_…=0x…` names it (as often as need be). Of the same database as `npm run audit`.
 */
import { parseArgs } from "node:util";
import type { PaidDebt } from "#domain/foreign-transaction.ts";
import { exactText } from "#domain/money.ts";
import { bookComparison } from "#server/services/treasury/book-comparison.ts";
import { type ChainComparison, compareTreasury } from "#server/services/treasury/compare-treasury.ts";
import { withBooks } from "./books.ts";
import { runCommand } from "./command.ts";
import { inNameOf } from "./wired.ts";

async function main(): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { book: { type: "boolean" }, by: text, choose: { ...text, multiple: true } } });
  const mode = process.env.MODE === "live" ? ("live" as const) : ("sandbox" as const);
  return await withBooks(async ({ database, evm }) => {
    const compared = await compareTreasury({ db: database.db, evm });
    for (const chain of compared) process.stdout.write(`${tell(chain).join("\n")}\n`);
    const { clear, open } = sort(compared, values.choose ?? []);
    if (values.book && clear.length > 0) {
      if (values.by === undefined) throw new Error("--book wants --by EMAIL: the admin in whose name it is proposed.");
      const by = await inNameOf(database.db, values.by);
      for (const { transferId, hash, outcome, detail } of await bookComparison({ db: database.db, evm, mode }, { by, paid: clear }))
        process.stdout.write(`${outcome} ${transferId} ${hash}${detail === null ? "" : ` (${detail})`}\n`);
      return open === 0 ? 0 : 1;
    }
    return clear.length + open === 0 ? 0 : 1;
  });
}

function tell({ chain, trouble, wallets, paid, unexplained }: ChainComparison): string[] {
  if (trouble !== null) return [`${chain}: cannot be compared: ${trouble}`];
  return [
    `${chain}: ${wallets.reduce((sum, { nonces }) => sum + nonces.length, 0)} nonces were spent that the database does not know`,
    ...wallets.filter(({ unread }) => unread.length > 0).map(({ address, unread }) => `  ${address}: ${unread.length} could not be read`),
    ...paid.flatMap(({ debt, transaction, others }) => {
      const amount = `${exactText(debt.amountBase, debt.tokenDecimals)} ${debt.currency}`;
      const line = `  ${debt.id} (${debt.purpose} ${debt.ownerId}, ${amount} to ${debt.recipient}) was paid by ${transaction.hash}`;
      if (others.length === 0) return [line];
      return [`${line}, or one of ${others.map(({ id }) => id).join(", ")} was: choose with --choose ${debt.id}=${transaction.hash}`];
    }),
    ...unexplained.map(({ hash, nonce }) => `  ${hash} (nonce ${nonce}) paid nothing that is owed: look who made it`),
  ];
}

/** What is to be booked: what is clear, and what a person chose; `open`: how much is left to be looked at. */
function sort(compared: readonly ChainComparison[], chosen: readonly string[]): { clear: PaidDebt[]; open: number } {
  const clear: PaidDebt[] = [];
  let open = 0;
  for (const { paid, unexplained, wallets, trouble } of compared) {
    open += unexplained.length + wallets.filter(({ unread }) => unread.length > 0).length + (trouble === null ? 0 : 1);
    for (const finding of paid) {
      const debts = [finding.debt, ...finding.others];
      const choice = debts.find(({ id }) => chosen.includes(`${id}=${finding.transaction.hash}`));
      if (finding.others.length === 0) clear.push(finding);
      else if (choice) clear.push({ ...finding, debt: choice });
      else open += 1;
    }
  }
  return { clear, open };
}

await runCommand(main, { failed: 2 });
