import { listPartnerBalances, listStatementLines, type StatementKey, type StatementLine } from "#db/queries/ledger/statement-lines.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { type Asset, assetName } from "#domain/ledger.ts";
import { Refusal } from "#domain/refusal.ts";
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
 * What was posted to a partner's accounts over a period, with the balance before, after each line and at its end. Read as of one
 * instant. A period that is not over yet may still grow.
 *
 * @throws Refusal `not_found` without such a partner, `validation_failed` when the period ends before it begins
 */
export async function readStatement(ctx: Uses<"db">, key: StatementKey): Promise<Statement> {
  if (key.from.getTime() > key.to.getTime()) {
    throw new Refusal("validation_failed", { detail: "The period ends before it begins." });
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

function withBalances(opening: bigint, lines: readonly StatementLine[]): Pick<StatementAccount, "lines" | "closing"> {
  let balance = opening;
  const balanced = lines.map((line) => {
    balance += line.amount;
    return { ...line, balance };
  });
  return { lines: balanced, closing: balance };
}
