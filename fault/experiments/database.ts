import type { Experiment, Run, Scene } from "#fault/experiment.ts";
import { inPooledWorld, PGBOUNCER } from "#fault/servers/pooled-world.ts";
import { lackOf, SERVER } from "#fault/servers/programs.ts";
import { throughTroubles } from "#fault/through-troubles.ts";
import { TROUBLES } from "#fault/troubles.ts";
import { inWorld } from "#fault/world.ts";
import { startTemporaryPostgres, type TemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { startMachinePostgres } from "#testing/machine-postgres.ts";
import { benchServerOn } from "#testing/stage/database.ts";

const JUDGED =
  "meanwhile every surface answers 503 with Retry-After, no process dies, and each web process answers within 5 s of the end of the fault";

export const database: Experiment = {
  name: "database",
  breaks:
    "PostgreSQL: sessions ended, a backend killed, the postmaster killed, stopped immediately, no connection left, a table locked by an idle transaction",
  judged: JUDGED,
  run: async (scene) => await broken(scene, await startTemporaryPostgres({ durable: true }), { inSomeWorld: inWorld, troubles: TROUBLES }),
};

export const databasePooled: Experiment = {
  name: "database-pooled",
  breaks: "The same with the machine's own PostgreSQL behind its PgBouncer, configured by `ops/database/pgbouncer.ini`",
  judged: JUDGED,
  lacks: () => lackOf([SERVER, PGBOUNCER]),
  run: async (scene) => {
    // The short form takes every other fault: `database` has all of them.
    const troubles = scene.pick(
      TROUBLES,
      TROUBLES.filter((_, index) => index % 2 === 1),
    );
    return await broken(scene, await startMachinePostgres({}, true), { inSomeWorld: inPooledWorld, troubles });
  },
};

type Given = { inSomeWorld: typeof inWorld; troubles: typeof TROUBLES };

async function broken(scene: Scene, postgres: TemporaryPostgres, { inSomeWorld, troubles }: Given): Promise<Run> {
  const server = benchServerOn(postgres);
  try {
    return await inSomeWorld({ ...scene, server }, { webs: 2, workers: 2 }, (world) =>
      throughTroubles(world, scene, { server: postgres, troubles, rounds: scene.pick(3, 1) }),
    );
  } finally {
    await server.stop();
  }
}
