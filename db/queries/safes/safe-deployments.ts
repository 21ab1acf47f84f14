import { and, asc, desc, eq, inArray, lte, ne, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { wakeTransfers } from "#db/queries/transfers/transfers.ts";
import { safeDeployments } from "#db/schema/safe-deployments.ts";
import { beyondId, nearestIdFirst } from "#db/walk.ts";
import type { Walk } from "#domain/page.ts";
import type { SafeContract, SafeVersion } from "#domain/safe.ts";
import type { SafeDeployment, SafeDeploymentKind, SafeDeploymentState } from "#domain/safe-deployment.ts";

type Row = typeof safeDeployments.$inferSelect;
/** The request that created it, by which a repeat finds it. */
export type DeploymentRequest = { key: string; hash: string; keepSeconds: number };
/** A contract that all Safes of a release need. */
export type ContractOf = { chain: string; version: SafeVersion; contract: SafeContract };

/** Stores a deployment and wakes the worker. Returns false if one exists already for that request, member or shared contract. */
export async function insertSafeDeployment(
  tx: Database,
  deployment: SafeDeployment,
  request: DeploymentRequest | null = null,
): Promise<boolean> {
  if (request) await releaseOldRequest(tx, request.key);
  const inserted = await tx
    .insert(safeDeployments)
    .values({
      ...deployment,
      requestKey: request?.key ?? null,
      requestHash: request?.hash ?? null,
      requestUntil: request ? sql`clock_timestamp() + ${request.keepSeconds} * interval '1 second'` : null,
      lookAt: sql`clock_timestamp()`,
    })
    .onConflictDoNothing()
    .returning({ id: safeDeployments.id });
  if (inserted.length === 0) return false;
  await wakeTransfers(tx);
  return true;
}

async function releaseOldRequest(tx: Database, key: string): Promise<void> {
  await tx
    .update(safeDeployments)
    .set({ requestKey: null })
    .where(and(eq(safeDeployments.requestKey, key), lte(safeDeployments.requestUntil, sql`clock_timestamp()`)));
}

export async function findSafeDeployment(db: Database, id: string): Promise<SafeDeployment | null> {
  const [row] = await db.select().from(safeDeployments).where(eq(safeDeployments.id, id));
  return row ? toDeployment(row) : null;
}

/** An earlier deployment of the same request, with the hash of its content. */
export async function findDeploymentOf(db: Database, requestKey: string): Promise<{ deployment: SafeDeployment; hash: string } | null> {
  const [row] = await db.select().from(safeDeployments).where(eq(safeDeployments.requestKey, requestKey));
  return row ? { deployment: toDeployment(row), hash: row.requestHash ?? "" } : null;
}

/** Holds the row until the transaction ends. */
export async function lockSafeDeployment(tx: Database, id: string): Promise<SafeDeployment | null> {
  const [row] = await tx.select().from(safeDeployments).where(eq(safeDeployments.id, id)).for("update");
  return row ? toDeployment(row) : null;
}

/** Stores what `advanceDeployment` made of a locked deployment, and wakes the worker where that has the next step. */
export async function saveSafeDeployment(tx: Database, deployment: SafeDeployment): Promise<void> {
  const { id, ...changed } = deployment;
  const ours = deployment.state === "asked" || deployment.state === "made";
  await tx
    .update(safeDeployments)
    .set({ ...changed, lookAt: ours ? sql`clock_timestamp()` : null })
    .where(eq(safeDeployments.id, id));
  if (ours) await wakeTransfers(tx);
}

/** The worker's due deployments of a chain, oldest first. */
export async function listDueDeployments(db: Database, chain: string, limit: number): Promise<SafeDeployment[]> {
  const rows = await db
    .select()
    .from(safeDeployments)
    .where(and(eq(safeDeployments.chain, chain), lte(safeDeployments.lookAt, sql`clock_timestamp()`)))
    .orderBy(asc(safeDeployments.lookAt), asc(safeDeployments.id))
    .limit(limit);
  return rows.map(toDeployment);
}

/** Records why some make no progress, and postpones them (real time). */
export async function restDeployments(db: Database, ids: readonly string[], rest: { reason: string; restMs: number }): Promise<void> {
  if (ids.length === 0) return;
  await db
    .update(safeDeployments)
    .set({ waitingReason: rest.reason, lookAt: sql`clock_timestamp() + ${rest.restMs} * interval '1 millisecond'` })
    .where(and(inArray(safeDeployments.id, [...ids]), inArray(safeDeployments.state, ["asked", "made"])));
}

/** Makes all open deployments of a chain due now: what they wait for may be there. */
export async function wakeAskedDeployments(tx: Database, chain: string): Promise<void> {
  await tx
    .update(safeDeployments)
    .set({ lookAt: sql`clock_timestamp()` })
    .where(and(eq(safeDeployments.chain, chain), eq(safeDeployments.state, "asked")));
  await wakeTransfers(tx);
}

/** The attempt at a Safe for a member that has not failed: there is at most one. */
export async function findLivingDeploymentOf(db: Database, memberId: string): Promise<SafeDeployment | null> {
  const { memberId: whose, state } = safeDeployments;
  const [row] = await db
    .select()
    .from(safeDeployments)
    .where(and(eq(whose, memberId), ne(state, "failed")));
  return row ? toDeployment(row) : null;
}

/** The latest attempt at a Safe for a member. */
export async function findDeploymentOfMember(db: Database, memberId: string): Promise<SafeDeployment | null> {
  const [row] = await db
    .select()
    .from(safeDeployments)
    .where(eq(safeDeployments.memberId, memberId))
    .orderBy(desc(safeDeployments.id))
    .limit(1);
  return row ? toDeployment(row) : null;
}

export type DeploymentFilter = { kind?: SafeDeploymentKind; state?: SafeDeploymentState; chain?: string };

/** A page of deployments in list order from a position. Ids sort by time of request. */
export async function browseSafeDeployments(db: Database, filter: DeploymentFilter, page: Walk<string>): Promise<SafeDeployment[]> {
  const { kind, state, chain } = filter;
  const { id } = safeDeployments;
  const rows = await db
    .select()
    .from(safeDeployments)
    .where(
      and(
        kind === undefined ? undefined : eq(safeDeployments.kind, kind),
        state === undefined ? undefined : eq(safeDeployments.state, state),
        chain === undefined ? undefined : eq(safeDeployments.chain, chain),
        beyondId(id, page),
      ),
    )
    .orderBy(nearestIdFirst(id, page))
    .limit(page.limit);
  return rows.map(toDeployment);
}

/** Where this service has deployed a contract, oldest first. */
export async function listStandingContracts(db: Database, of: ContractOf): Promise<string[]> {
  const rows = await db
    .select({ address: safeDeployments.address })
    .from(safeDeployments)
    .where(and(isContract(of), eq(safeDeployments.state, "deployed")))
    .orderBy(asc(safeDeployments.id));
  return rows.flatMap(({ address }) => (address === null ? [] : [address]));
}

/** The latest attempt of the service's own at a contract for all. */
export async function findSharedDeployment(db: Database, of: ContractOf): Promise<SafeDeployment | null> {
  const [row] = await db
    .select()
    .from(safeDeployments)
    .where(and(isContract(of), eq(safeDeployments.shared, true)))
    .orderBy(desc(safeDeployments.id))
    .limit(1);
  return row ? toDeployment(row) : null;
}

function isContract({ chain, version, contract }: ContractOf) {
  return and(eq(safeDeployments.chain, chain), eq(safeDeployments.version, version), eq(safeDeployments.kind, contract));
}

/** The deployment in a row. */
export function toDeployment(row: Row): SafeDeployment {
  const { requestKey: _key, requestHash: _hash, requestUntil: _until, lookAt: _look, ...deployment } = row;
  return deployment;
}
