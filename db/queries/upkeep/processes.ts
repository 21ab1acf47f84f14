import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { processes } from "#db/schema/processes.ts";
import type { ProcessVitals } from "#domain/vitals.ts";

export type Heartbeat = { id: string; kind: string; startedAt: Date; metrics: unknown[] };

/** Notes that the process is alive just now (real time, the database's clock), with its figures. */
export async function saveHeartbeat(db: Database, heartbeat: Heartbeat): Promise<void> {
  const now = sql`clock_timestamp()`;
  await db
    .insert(processes)
    .values({ ...heartbeat, beatAt: now })
    .onConflictDoUpdate({ target: processes.id, set: { beatAt: now, metrics: heartbeat.metrics } });
}

/** Processes that were heard of within the last hour, the latest heard first. */
export async function listProcesses(db: Database): Promise<ProcessVitals[]> {
  const beatAgeSeconds = sql<number>`extract(epoch from clock_timestamp() - ${processes.beatAt})::float8`;
  return await db
    .select({ id: processes.id, kind: processes.kind, startedAt: processes.startedAt, metrics: processes.metrics, beatAgeSeconds })
    .from(processes)
    .where(sql`${processes.beatAt} > clock_timestamp() - interval '1 hour'`)
    .orderBy(sql`${processes.beatAt} desc`)
    .limit(100);
}

export async function deleteProcess(db: Database, id: string): Promise<void> {
  await db.delete(processes).where(eq(processes.id, id));
}

/** Forgets processes that died without a word an hour ago or longer. */
export async function deleteSilentProcesses(db: Database): Promise<void> {
  await db.delete(processes).where(sql`${processes.beatAt} < clock_timestamp() - interval '1 hour'`);
}
