import { asProcess, openDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { provideServiceLogins } from "#db/service-login.ts";
import type { ProcessKind } from "#server/config/database-urls.ts";
import { readSignerConfig } from "#server/config/read-signer.ts";
import { type Config, readConfig, readWorkerConfig } from "#server/config.ts";
import { assertFitDatabase, UnfitDatabase } from "#server/services/maintenance/assert-fit-database.ts";
import { signerEnvironment, webEnvironment, workerEnvironment } from "./environment.ts";
import { identityOf } from "./identity.ts";
import { checkBuild, checkDatabase, checkNode, checkPort } from "./preflight.ts";
import { readWhole } from "./read-whole.ts";
import { newSocket, signerPart, webParts, workerParts } from "./service-parts.ts";
import { createSupervisor } from "./supervisor.ts";
import { say, speakJson, step } from "./terminal.ts";
import { Trouble } from "./trouble.ts";
import { runUntilStopped } from "./until-stopped.ts";

/** Live mode: migrations, the web process and the worker, kept running. The environment configures everything else. */
export async function startLive(): Promise<never> {
  speakJson();
  const supervisor = createSupervisor(say);
  return runUntilStopped(
    async () => {
      checkNode();
      // The start reads everything; each process below gets only its part.
      const socket = process.env.SIGNER_SOCKET || newSocket();
      const { config, signing } = readWhole({ ...process.env, SIGNER_SOCKET: socket });
      checkBuild();
      await checkPort(config.port, config.host);
      say(`Treasury wallets: ${logSigners(signing.chains)}`);
      const login = await bringUpToDate(config);
      const fixed = { SIGNER_SOCKET: socket, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
      const env: NodeJS.ProcessEnv = { ...process.env, ...login, ...fixed };
      const worker = identityOf("WORKER_USER", config.workerUser);
      const users = { web: identityOf("WEB_USER", config.webUser), worker, signer: identityOf("SIGNER_USER", config.signerUser) ?? worker };
      const options = {
        env,
        users,
        logs: null,
        readyTimeoutMs: 60_000,
        drainSeconds: config.drainSeconds,
      };
      await step("Database fit for live mode", async () => {
        await checkFitDatabase("web", readConfig(webEnvironment(env)));
        await checkFitDatabase("worker", readWorkerConfig(workerEnvironment(env)));
        const { MODE: mode, ...signer } = readSignerConfig(signerEnvironment(env));
        await checkFitDatabase("signer", { ...signer, mode });
      });
      await step("Web process", () => supervisor.run(...webParts(options, config.webProcesses)));
      await step("Signer", () => supervisor.run(signerPart(options)));
      await step("Worker process", () => supervisor.run(...workerParts(options, config.workerProcesses)));
      say(`Ready on port ${config.port}, as ${config.baseUrl}`);
    },
    () => supervisor.stop(),
  );
}

/**
 * Migrates if the owner's log-in is known: MIGRATION_DATABASE_URL, or DATABASE_URL where the two are one. Otherwise `npm run migrate` does
 * that separately, and this only checks the database.
 *
 * @returns the variables with which the parts log in if they would otherwise have the owner's log-in: log-ins that own nothing. Behind a
 * pooler there are none; they must be set up there manually
 */
async function bringUpToDate(config: Config): Promise<Record<string, string>> {
  const { MIGRATION_DATABASE_URL: migrationUrl = "" } = process.env;
  const [variable, url] =
    migrationUrl.trim() === ""
      ? (["DATABASE_URL", config.databaseDirectUrl] as const)
      : (["MIGRATION_DATABASE_URL", migrationUrl] as const);
  const owns = await step("Database", () => checkDatabase(url, variable));
  if (owns) await step("Migrations", () => migrate(url));
  else if (migrationUrl.trim() !== "")
    throw new Trouble("The role of MIGRATION_DATABASE_URL does not own its database: `alter database … owner to …`.");
  if (!owns || variable !== "DATABASE_URL" || config.databasePooled) return {};
  const logins = await step("Log-ins of web, worker and signer", () => provideServiceLogins(url));
  return logins === null ? {} : { WEB_DATABASE_URL: logins.web, WORKER_DATABASE_URL: logins.worker, SIGNER_DATABASE_URL: logins.signer };
}

/** Said here once, before the processes say it at each of their starts. */
async function checkFitDatabase(kind: ProcessKind, config: Parameters<typeof asProcess>[1] & Pick<Config, "mode">): Promise<void> {
  const { db, close } = openDatabase({ ...asProcess(kind, config), applicationName: "settlement-start", maxConnections: 1 });
  try {
    await assertFitDatabase({ db, mode: config.mode }, kind);
  } catch (error) {
    throw error instanceof UnfitDatabase ? new Trouble(error.message) : error;
  } finally {
    await close();
  }
}

/** `eip155:1 keystore, aws-kms; eip155:10 pkcs11`: the signers, without anything secret. */
function logSigners(chains: readonly { chain: string; wallets: readonly { signer: string }[] }[]): string {
  return chains.map(({ chain, wallets }) => `${chain} ${wallets.map(({ signer }) => signer).join(", ")}`).join("; ");
}
