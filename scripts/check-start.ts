/** Called by `scripts/prepare.mjs` before it builds: if the following start would be refused, it says why and exits with 1. */
import { readWorkerConfig } from "#server/config.ts";
import { checkPort } from "#server/process/preflight.ts";

try {
  if (process.env.MODE === "live") {
    const config = readWorkerConfig();
    await checkPort(config.port, config.host);
  } else {
    const [{ checkMachine }, { readSettings }] = await Promise.all([import("#sandbox/check-machine.ts"), import("#sandbox/settings.ts")]);
    await checkMachine(readSettings(process.env));
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
