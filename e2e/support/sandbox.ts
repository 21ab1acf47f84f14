import { cpSync } from "node:fs";
import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { newDirectory, removeDirectory, startSandbox } from "./start-sandbox.ts";

/**
 * Before all stories: a separate sandbox, or the running one that SANDBOX_FILE names. The stories find it through that variable
 * (`readSandboxFile`). Its processes' logs are kept with the stories' results.
 */
export default async function setup(config: FullConfig): Promise<() => Promise<void>> {
  if (process.env.SANDBOX_FILE) return async () => {};
  const directory = newDirectory();
  process.stdout.write("Starting a sandbox for the stories …\n");
  const sandbox = await startSandbox(directory).catch((error: unknown) => {
    removeDirectory(directory);
    throw error;
  });
  process.env.SANDBOX_FILE = sandbox.file;
  return async () => {
    const how = await sandbox.stop();
    for (const kept of new Set(config.projects.map(({ outputDir }) => join(outputDir, "logs"))))
      cpSync(join(directory, "logs"), kept, { recursive: true });
    removeDirectory(directory);
    if (how !== 0) throw new Error(`the sandbox ended badly (${how}):\n${sandbox.output()}`);
  };
}
