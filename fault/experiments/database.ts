import type { Experiment } from "#fault/experiment.ts";
import { throughTroubles } from "#fault/through-troubles.ts";
import { TROUBLES } from "#fault/troubles.ts";
import { inWorld } from "#fault/world.ts";
import { startTemporaryPostgres } from "#sandbox/postgres/temporary.ts";
import { benchServerOn } from "#testing/stage/database.ts";

export const database: Experiment = {
  name: "database",
  breaks:
    "PostgreSQL: sessions ended, a backend killed, the postmaster killed, stopped immediately, no connection left, a table locked by an idle transaction",
  judged:
    "meanwhile every surface answers 503 with Retry-After, no process dies, and each web process answers within 5 s of the end of the fault",
  async run(scene) {
    const postgres = await startTemporaryPostgres({ durable: true });
    const server = benchServerOn(postgres);
    try {
      return await inWorld({ ...scene, server }, { webs: 2, workers: 2 }, (world) =>
        throughTroubles(world, scene, { server: postgres, troubles: TROUBLES, rounds: scene.pick(3, 1) }),
      );
    } finally {
      await server.stop();
    }
  },
};
