import type { Experiment } from "#fault/experiment.ts";
import { inPooledWorld, PGBOUNCER } from "#fault/servers/pooled-world.ts";
import { lackOf, SERVER } from "#fault/servers/programs.ts";
import { throughTroubles } from "#fault/through-troubles.ts";
import { TROUBLES } from "#fault/troubles.ts";
import { startMachinePostgres } from "#testing/machine-postgres.ts";
import { benchServerOn } from "#testing/stage/database.ts";

export const databasePooled: Experiment = {
  name: "database-pooled",
  breaks: "The same with the machine's own PostgreSQL behind its PgBouncer, configured by `ops/database/pgbouncer.ini`",
  judged:
    "meanwhile every surface answers 503 with Retry-After, no process dies, and each web process answers within 5 s of the end of the fault",
  lacks: () => lackOf([SERVER, PGBOUNCER]),
  async run(scene) {
    const postgres = await startMachinePostgres({}, true);
    const server = benchServerOn(postgres);
    try {
      return await inPooledWorld({ ...scene, server }, { webs: 2, workers: 2 }, (world) =>
        throughTroubles(world, scene, { server: postgres, troubles: TROUBLES, rounds: scene.pick(3, 1) }),
      );
    } finally {
      await server.stop();
    }
  },
};
