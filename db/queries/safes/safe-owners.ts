import { and, arrayContains, count, eq, inArray, ne, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { unfinished } from "#db/queries/transfers/unfinished.ts";
import { safeDeployments } from "#db/schema/safe-deployments.ts";
import { transfers } from "#db/schema/transfers.ts";
import type { SafeVersion } from "#domain/safe.ts";

type OwnedBy = { chain: string; owner: string };
/** A Safe that this service deployed. */
export type KnownSafe = { address: string; version: SafeVersion };

/** Only for the index of owners. */
const isSafe = sql`${safeDeployments.kind} in ('safe', 'owner_swap')`;

function ownedBy({ chain, owner }: OwnedBy, kind: "safe" | "owner_swap") {
  return and(isSafe, eq(safeDeployments.kind, kind), eq(safeDeployments.chain, chain), arrayContains(safeDeployments.owners, [owner]));
}

/** The Safes that were deployed for that owner, or are being, and that it still owns as far as the database knows. */
export async function listSafesOf(db: Database, of: OwnedBy): Promise<KnownSafe[]> {
  const { address, version, state } = safeDeployments;
  const rows = await db
    .select({ address, version })
    .from(safeDeployments)
    .where(and(ownedBy(of, "safe"), inArray(state, ["owed", "made", "deployed"])));
  return rows.flatMap((row) => (row.address === null ? [] : [{ ...row, address: row.address }]));
}

/** The addresses of the Safes of a chain that this service deployed, whatever their owners are now. */
export async function listDeployedSafes(db: Database, chain: string): Promise<string[]> {
  const { address, kind, state } = safeDeployments;
  const rows = await db
    .selectDistinct({ address })
    .from(safeDeployments)
    .where(and(isSafe, eq(kind, "safe"), eq(safeDeployments.chain, chain), inArray(state, ["owed", "made", "deployed"])));
  return rows.flatMap((row) => row.address ?? []);
}

/** The number of Safes of that owner, including requested ones. */
export async function countSafesOf(db: Database, of: OwnedBy): Promise<number> {
  const [row] = await db
    .select({ safes: count() })
    .from(safeDeployments)
    .where(and(ownedBy(of, "safe"), ne(safeDeployments.state, "failed")));
  return row?.safes ?? 0;
}

/** The Safes, in lower case, out of which that owner is being taken. */
export async function listOpenSwaps(db: Database, of: OwnedBy): Promise<Set<string>> {
  const rows = await db
    .select({ address: safeDeployments.address })
    .from(safeDeployments)
    .where(and(ownedBy(of, "owner_swap"), inArray(safeDeployments.state, ["asked", "owed", "made"])));
  return new Set(rows.flatMap(({ address }) => address?.toLowerCase() ?? []));
}

/** Records a Safe's present owner. */
export async function saveSafeOwners(
  tx: Database,
  safe: { chain: string; address: string; before: string; owners: string[] },
): Promise<void> {
  await tx
    .update(safeDeployments)
    .set({ owners: safe.owners })
    .where(and(ownedBy({ chain: safe.chain, owner: safe.before }, "safe"), eq(safeDeployments.address, safe.address)));
}

/**
 * Changes the sender of a Safe's sweeps that wait for a replaced owner and are not signed, to the new owner. The last word but one of the
 * call represents the signature: it names the sender.
 */
export async function handOverSweeps(tx: Database, swap: { chain: string; safe: string; from: string; to: string }): Promise<void> {
  const wordOf = (address: string) => address.slice(2).toLowerCase().padStart(64, "0");
  await tx
    .update(transfers)
    .set({
      callSender: swap.to,
      callData: sql`left(${transfers.callData}, -192) || ${wordOf(swap.to)} || right(${transfers.callData}, 128)`,
      waitingReason: null,
      waitingKind: null,
      waitingSince: null,
      restUntil: null,
      leaseUntil: null,
    })
    .where(
      and(
        unfinished(),
        eq(transfers.state, "queued"),
        eq(transfers.purpose, "sweep"),
        eq(transfers.chain, swap.chain),
        sql`lower(${transfers.callTo}) = ${swap.safe.toLowerCase()} and lower(${transfers.callSender}) = ${swap.from.toLowerCase()}`,
        sql`lower(left(right(${transfers.callData}, 192), 64)) = ${wordOf(swap.from)}`,
      ),
    );
}
