import { cpSync } from "node:fs";
import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { type CitusCluster, migrateCitusDatabase, startCitus } from "#testing/citus/cluster.ts";
import { newDirectory, type OwnSandbox, removeDirectory, startSandbox } from "./start-sandbox.ts";

/**
 * Before all stories: a separate sandbox, or the running one that SANDBOX_FILE names. The stories find it through that variable
 * (`readSandboxFile`). Its processes' logs are kept with the stories' results. With DATABASE_LAYOUT=citus its database is on a coordinator
 * and two workers.
 */
export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  if (process.env.SANDBOX_FILE) return async () => {};
  const directory = newDirectory();
  process.stdout.write("Starting a sandbox for the stories …\n");
  const citus = process.env.DATABASE_LAYOUT === "citus" ? await startCitus() : null;
  const sandbox = await startOn(citus, directory).catch(async (error: unknown) => {
    removeDirectory(directory);
    await citus?.stop();
    throw error;
  });
  process.env.SANDBOX_FILE = sandbox.file;
  return async () => {
    const how = await sandbox.stop();
    await citus?.stop();
    for (const kept of new Set(config.projects.map(({ outputDir }) => join(outputDir, "logs"))))
      cpSync(join(directory, "logs"), kept, { recursive: true });
    removeDirectory(directory);
    if (how !== 0) throw new Error(`the sandbox ended badly (${how}):\n${sandbox.output()}`);
  };
}

async function startOn(citus: CitusCluster | null, directory: string): Promise<OwnSandbox> {
  if (citus === null) return await startSandbox(directory);
  return await startSandbox(directory, { DATABASE_URL: await migrateCitusDatabase(citus, "sandbox") });
}
