import { and, desc, eq, like, type SQL, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import type { Layout } from "#db/layout.ts";
import { partners } from "#db/schema/partners.ts";
import { settlements } from "#db/schema/settlements.ts";
import { layoutOf } from "#db/transaction.ts";
import { transactionKey } from "#domain/address-key.ts";
import { isToWallet } from "./to-wallet.ts";

/** What a settlement may be looked up by. Each is answered out of an index, however many settlements there are. */
export type SettlementClue =
  | { by: "tx_id" | "tx_hash" | "wallet"; text: string }
  | { by: "external_id" | "merchant"; text: string; match: "exact" | "prefix" };

/** Ids of the newest settlements that fit, of this partner where one is named. */
export async function findSettlementIds(db: Database, clue: SettlementClue, limit: number, partnerId?: string): Promise<string[]> {
  const rows = await db
    .select({ id: settlements.id })
    .from(settlements)
    // Through the partners, which are few: the indexes on a partner's references then serve a search across all of them.
    .innerJoin(partners, eq(partners.id, settlements.partnerId))
    .where(and(fits(clue, layoutOf(db), partnerId), partnerId === undefined ? undefined : eq(partners.id, partnerId)))
    .orderBy(desc(settlements.createdAt), desc(settlements.id))
    .limit(limit);
  return rows.map((row) => row.id);
}

function fits(clue: SettlementClue, layout: Layout, partnerId: string | undefined): SQL | undefined {
  switch (clue.by) {
    case "tx_id":
      return eq(settlements.id, clue.text);
    case "tx_hash":
      return sql`${settlements.txHash} is not null and ${settlements.txHash} = ${transactionKey(clue.text)}`;
    case "wallet":
      return isToWallet(clue.text, partnerId, layout);
    case "external_id":
      return textFits(sql`${settlements.externalTxId}`, clue);
    case "merchant":
      return textFits(sql`${settlements.externalMerchantId}`, clue);
  }
}

function textFits(column: SQL, { text, match }: { text: string; match: "exact" | "prefix" }): SQL {
  return match === "exact" ? sql`${column} = ${text}` : like(column, `${text.replace(/[\\%_]/g, "\\$&")}%`);
}
