import { openDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { readWorkerConfig } from "#server/config.ts";
import { assertLiveDatabase, UnfitDatabase } from "#server/services/upkeep/assert-live-database.ts";
import { identityOf } from "./identity.ts";
import { checkBuild, checkDatabase, checkNode, checkPort } from "./preflight.ts";
import { webPart, workerPart } from "./service-parts.ts";
import { createSupervisor } from "./supervisor.ts";
import { say, step } from "./terminal.ts";
import { Trouble } from "./trouble.ts";
import { runUntilTold } from "./until-told.ts";

/** Live mode: migrations, the web process and the worker, kept running. Everything else is given by the environment. */
export async function startLive(): Promise<never> {
  const supervisor = createSupervisor(say);
  return runUntilTold(
    async () => {
      checkNode();
      const config = readWorkerConfig();
      checkBuild();
      await checkPort(config.port, config.host);
      await step("Database", () => checkDatabase(config.databaseUrl));
      await step("Migrations", () => migrate(config.databaseUrl));
      const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
      const users = { web: identityOf("WEB_USER", config.webUser), worker: identityOf("WORKER_USER", config.workerUser) };
      const options = {
        env,
        users,
        port: config.port,
        host: config.host,
        logs: null,
        readyTimeoutMs: 60_000,
        drainSeconds: config.drainSeconds,
      };
      await step("Database fit for live mode", () => checkLiveDatabase(config.databaseUrl));
      await step("Web process", () => supervisor.run(webPart(options)));
      await step("Worker process", () => supervisor.run(workerPart(options)));
      say(`Ready on port ${config.port}, as ${config.baseUrl}`);
    },
    () => supervisor.stop(),
  );
}

/** Said here once, before the processes say it at each of their starts. */
async function checkLiveDatabase(url: string): Promise<void> {
  const { db, close } = openDatabase({ url, applicationName: "settlement-start", maxConnections: 1 });
  try {
    await assertLiveDatabase({ db });
  } catch (error) {
    throw error instanceof UnfitDatabase ? new Trouble(error.message) : error;
  } finally {
    await close();
  }
}
