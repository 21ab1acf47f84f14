import { anvilBinary } from "#sandbox/chain/anvil.ts";
import { checkPostgresBinaries } from "#sandbox/postgres/binaries.ts";
import type { SandboxSettings } from "#sandbox/settings.ts";
import { checkNode, checkPort } from "#server/process/preflight.ts";

/** Says in one sentence what would stop a sandbox with these settings on this machine, as far as it can be known beforehand. */
export async function checkMachine(settings: SandboxSettings): Promise<void> {
  checkNode();
  if (settings.chainRpcUrl === null) anvilBinary();
  if (settings.databaseUrl === null) checkPostgresBinaries();
  await checkPort(settings.port, settings.host);
}
