import { type LedgerBalance, listLedgerBalances } from "#db/queries/ledger/ledger-balances.ts";
import { listPartnerNames } from "#db/queries/partners/partners.ts";
import type { Uses } from "#server/context.ts";

export type BookedBalance = LedgerBalance & { partnerName: string | null };

/** What every account comes to, with the names of the partners whose accounts there are. */
export async function readLedgerBalances(ctx: Uses<"db">): Promise<BookedBalance[]> {
  const balances = await listLedgerBalances(ctx.db);
  const ids = [...new Set(balances.flatMap(({ partnerId }) => (partnerId === null ? [] : [partnerId])))];
  const names = await listPartnerNames(ctx.db, ids);
  return balances.map((balance) => ({
    ...balance,
    partnerName: balance.partnerId === null ? null : (names.get(balance.partnerId) ?? null),
  }));
}
