import { provideServiceLogins } from "#db/service-login.ts";
import type { Scene } from "#fault/experiment.ts";
import { inWorldOf, type Shape, type World } from "#fault/world.ts";
import { startPgbouncer } from "#testing/pgbouncer.ts";
import type { Program } from "./programs.ts";

export const PGBOUNCER: Program = { name: "pgbouncer", from: "pgbouncer" };

const SESSIONS = 20;

/** A world whose service reaches the scene's server through a PgBouncer of the machine, by `ops/database/pgbouncer.ini`. */
export async function inPooledWorld<T>(scene: Scene, shape: Shape, work: (world: World) => Promise<T>): Promise<T> {
  return await scene.server.withDatabase(async (database) => {
    const logins = await provideServiceLogins(database.url);
    if (logins === null) throw new Error("the server lets the service's log-ins in");
    const pooler = await startPgbouncer(logins.web, { sessions: SESSIONS, others: [logins.worker, logins.signer] });
    const [worker = "", signer = ""] = pooler.others;
    const log = { WEB_DATABASE_URL: pooler.url, WORKER_DATABASE_URL: worker, SIGNER_DATABASE_URL: signer };
    const env = { ...shape.env, ...log, DATABASE_POOLER: "transaction", DATABASE_DIRECT_URL: database.url };
    try {
      return await inWorldOf(scene, database, { ...shape, env }, work);
    } finally {
      await pooler.stop();
    }
  });
}
