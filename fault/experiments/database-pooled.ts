import { provideServiceLogin } from "#db/service-login.ts";
import type { Experiment } from "#fault/experiment.ts";
import { lackOf, SERVER } from "#fault/servers/programs.ts";
import { throughTroubles } from "#fault/through-troubles.ts";
import { TROUBLES } from "#fault/troubles.ts";
import { inWorldOf } from "#fault/world.ts";
import { startMachinePostgres } from "#testing/machine-postgres.ts";
import { startPgbouncer } from "#testing/pgbouncer.ts";
import { benchServerOn } from "#testing/stage/database.ts";

const SESSIONS = 20;

export const databasePooled: Experiment = {
  name: "database-pooled",
  breaks: "the same of the machine's own PostgreSQL behind its PgBouncer, by `ops/database/pgbouncer.ini`",
  judged:
    "every surface says 503 with Retry-After meanwhile, no process dies of it, and each web process answers within 5 s of the end of it",
  lacks: () => lackOf([SERVER, { name: "pgbouncer", from: "pgbouncer" }]),
  async run(scene) {
    const postgres = await startMachinePostgres({}, true);
    const server = benchServerOn(postgres);
    try {
      return await server.withDatabase(async (database) => {
        const direct = await provideServiceLogin(database.url);
        if (direct === null) throw new Error("the server lets the service's log-in in");
        const pooler = await startPgbouncer(direct, SESSIONS);
        const env = { DATABASE_URL: pooler.url, DATABASE_POOLER: "transaction", DATABASE_DIRECT_URL: direct };
        try {
          return await inWorldOf({ ...scene, server }, database, { webs: 2, workers: 2, env }, (world) =>
            throughTroubles(world, scene, { server: postgres, troubles: TROUBLES, rounds: scene.pick(3, 1) }),
          );
        } finally {
          await pooler.stop();
        }
      });
    } finally {
      await server.stop();
    }
  },
};
