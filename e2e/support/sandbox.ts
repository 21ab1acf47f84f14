import { newDirectory, removeDirectory, startSandbox } from "./start-sandbox.ts";

/**
 * Before all stories: a sandbox of their own, or the running one that SANDBOX_FILE names. The stories find it through that
 * variable (`readSandboxFile`).
 */
export default async function setup(): Promise<() => Promise<void>> {
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
    removeDirectory(directory);
    if (how !== 0) throw new Error(`the sandbox ended badly (${how}):\n${sandbox.output()}`);
  };
}
