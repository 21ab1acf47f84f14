import { csvLine } from "#domain/csv.ts";
import type { Asset } from "#domain/ledger.ts";
import { exactText } from "#domain/money.ts";
import type { Statement, StatementAccount } from "./read-statement.ts";

const HEAD = ["currency", "chain", "at", "entry", "type", "id", "external_id", "tx_hash", "debit", "credit", "balance"];

/**
 * The statement as CSV: for each account a line with the balance before, one for each posting, and one with the balance after. Debit
 * is what the partner owes more; a balance below zero is what we owe the partner. Amounts have all of their decimals.
 */
export function* renderStatement(statement: Statement): Generator<string> {
  yield csvLine(HEAD);
  for (const account of statement.accounts) yield* renderAccount(account, statement);
}

function* renderAccount({ asset, opening, lines, closing }: StatementAccount, { from, to }: Statement): Generator<string> {
  const place = [asset.currency, asset.chain ?? ""];
  const balanceLine = (at: Date, entry: string, balance: bigint) =>
    csvLine([...place, at.toISOString(), entry, "", "", "", "", "", "", written(balance, asset)]);
  yield balanceLine(from, "opening balance", opening);
  for (const line of lines) {
    const { amount } = line;
    yield csvLine([
      ...place,
      line.at.toISOString(),
      line.entryId,
      `${line.cause} ${line.step}`,
      line.causeId,
      line.externalId ?? "",
      line.txHash ?? "",
      amount > 0n ? written(amount, asset) : "",
      amount < 0n ? written(-amount, asset) : "",
      written(line.balance, asset),
    ]);
  }
  yield balanceLine(to, "closing balance", closing);
}

function written(amount: bigint, asset: Asset): string {
  return exactText(amount, asset.decimals);
}
