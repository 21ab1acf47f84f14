/** Called by `scripts/prepare.mjs` before it builds: if the following start would be refused, it says why and exits with 1. */
import { checkPort } from "#server/process/preflight.ts";
import { readWhole } from "#server/process/read-whole.ts";

try {
  if (process.env.MODE === "live") {
    const { config } = readWhole({ ...process.env, SIGNER_SOCKET: process.env.SIGNER_SOCKET || "/run/settlement-signer/signer.sock" });
    await checkPort(config.port, config.host);
  } else {
    const [{ checkMachine }, { readSettings }] = await Promise.all([import("#sandbox/check-machine.ts"), import("#sandbox/settings.ts")]);
    await checkMachine(readSettings(process.env));
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
