import { listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { listPartnerBalances, listStatementLines, type StatementKey, type StatementLine } from "#db/queries/ledger/statement-lines.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { csvLine } from "#domain/csv.ts";
import { type Asset, assetName } from "#domain/ledger.ts";
import { exactText } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { lineInWords } from "#domain/statement-line.ts";
import type { Uses } from "#server/context.ts";

export type StatementAccount = {
  asset: Asset;
  /** Above zero: the partner owes us; below: we owe the partner. */
  opening: bigint;
  lines: (StatementLine & { balance: bigint })[];
  closing: bigint;
};

/** `from` inclusive, `to` exclusive, in business time. */
export type Statement = { partner: { id: string; name: string }; from: Date; to: Date; accounts: StatementAccount[] };

/**
 * The postings on a partner's accounts over a period, with the balance before, after each line and at its end. Read at one instant. An
 * unfinished period may still grow.
 *
 * @throws Refusal `not_found` without such a partner, `validation_failed` when the period ends before it begins
 */
export async function readStatement(ctx: Uses<"db">, key: StatementKey): Promise<Statement> {
  if (key.from.getTime() > key.to.getTime()) {
    throw new Refusal("validation_failed", { detail: "The end of the period must be after its start." });
  }
  return await ctx.db.transaction(
    async (tx) => {
      const partner = await findPartner(tx, key.partnerId);
      if (partner === null) throw new Refusal("not_found", { detail: "There is no such partner." });
      const openings = await listPartnerBalances(tx, key.partnerId, key.from);
      const lines = Map.groupBy(await listStatementLines(tx, key), ({ asset }) => assetName(asset));
      const assets = new Map([...openings, ...[...lines.values()].flat()].map(({ asset }) => [assetName(asset), asset]));
      const accounts = [...assets]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, asset]) => {
          const opening = openings.find((one) => assetName(one.asset) === name)?.amount ?? 0n;
          return { asset, opening, ...withBalances(opening, lines.get(name) ?? []) };
        });
      return { partner: { id: partner.id, name: partner.name }, from: key.from, to: key.to, accounts };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** What a partner owes now (above zero), or is owed, in each asset that its account has ever had. */
export async function readPartnerBalances(ctx: Uses<"db">, partnerId: string): Promise<{ asset: Asset; amount: bigint }[]> {
  return (await listLedgerBalances(ctx.db))
    .filter((balance) => balance.account === "partner_receivable" && balance.partnerId === partnerId)
    .map(({ currency, chain, decimals, amount }) => ({ asset: { currency, chain, decimals }, amount }));
}

function withBalances(opening: bigint, lines: readonly StatementLine[]): Pick<StatementAccount, "lines" | "closing"> {
  let balance = opening;
  const balanced = lines.map((line) => {
    balance += line.amount;
    return { ...line, balance };
  });
  return { lines: balanced, closing: balance };
}

const HEAD = ["currency", "chain", "at", "entry", "type", "id", "external_id", "tx_hash", "debit", "credit", "balance", "description"];

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
    csvLine([...place, at.toISOString(), entry, "", "", "", "", "", "", written(balance, asset), ""]);
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
      lineInWords(line),
    ]);
  }
  yield balanceLine(to, "closing balance", closing);
}

function written(amount: bigint, asset: Asset): string {
  return exactText(amount, asset.decimals);
}
