/** What `scripts/prepare.mjs` asks before it builds: would the start that is to follow be refused? Says why and exits with 1. */
import { checkMachine } from "#sandbox/check-machine.ts";
import { readSettings } from "#sandbox/settings.ts";
import { readWorkerConfig } from "#server/config.ts";
import { checkPort } from "#server/process/preflight.ts";

try {
  if (process.env.MODE === "live") {
    const config = readWorkerConfig();
    await checkPort(config.port, config.host);
  } else {
    await checkMachine(readSettings(process.env));
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
