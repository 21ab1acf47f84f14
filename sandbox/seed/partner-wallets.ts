import { and, eq, isNull, ne, or } from "drizzle-orm";
import { openDatabase } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { partners } from "#db/schema/partners.ts";

/** Gives partners of the sandbox their own Safes: a chain that began again has new ones. Safe to run at every start. */
export async function assignPartnerWallets(
  databaseUrl: string,
  wallets: readonly { partnerId: string; walletAddress: string }[],
): Promise<void> {
  const { db, close } = openDatabase({ url: databaseUrl, applicationName: "seed", maxConnections: 1 });
  try {
    const updatedAt = await readBusinessNow(db);
    for (const { partnerId, walletAddress } of wallets) {
      const isOther = or(isNull(partners.walletAddress), ne(partners.walletAddress, walletAddress));
      await db
        .update(partners)
        .set({ walletAddress, updatedAt })
        .where(and(eq(partners.id, partnerId), isOther));
    }
  } finally {
    await close();
  }
}
