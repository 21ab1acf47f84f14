/**
 * Checks the health of this machine's web process, at HOST and PORT, and exits with 1 if it does not answer. `--wait 60` waits up to this
 * many seconds: a unit counts as started once its process answers, so that processes can be replaced one after the other.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { wait: { type: "string", default: "0" } } });
const { HOST: host = "127.0.0.1", PORT: port = "3000" } = process.env;
const everywhere = ["", "0.0.0.0", "::"].includes(host);
const at = everywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
const deadline = Date.now() + Number(values.wait) * 1_000;

async function isAlive(): Promise<boolean> {
  try {
    return (await fetch(`http://${at}:${port}/health`, { signal: AbortSignal.timeout(3_000) })).status === 200;
  } catch {
    return false;
  }
}

let alive = await isAlive();
while (!alive && Date.now() < deadline) {
  await sleep(250);
  alive = await isAlive();
}
if (!alive) process.stderr.write(`Nothing that is alive answers at ${at}, port ${port}.\n`);
process.exitCode = alive ? 0 : 1;
