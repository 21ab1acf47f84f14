import { asProcess, openDatabase } from "#db/client.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { openLapsingChains } from "#server/adapters/chain/open-lapsing-chains.ts";
import { systemClock } from "#server/adapters/clock.ts";
import { createPasskeys } from "#server/adapters/passkeys.ts";
import { readSignerConfig } from "#server/config/read-signer.ts";
import { createLog } from "#server/observe/log.ts";
import { endBadly } from "#server/process/end-badly.ts";
import { stopSignal } from "#server/process/stop-signal.ts";
import { assertFitDatabase, UnfitDatabase } from "#server/services/maintenance/assert-fit-database.ts";
import { checkKeys } from "./check-keys.ts";
import { onceFit } from "./once-fit.ts";
import { serveSigners } from "./serve.ts";
import { keysOf, signersOf } from "./wiring.ts";

/** Two workers that sign, and two that admit. */
const CONNECTIONS = 4;
/** What is being signed when it is asked to stop has so long to end. */
const LONGEST_STOP_MS = 2_000;

/** The signer: it answers on its socket until it is asked to stop, and remembers nothing but its journal. */
async function main(): Promise<void> {
  const config = readSignerConfig();
  const log = createLog({ level: config.LOG_LEVEL, process: "signer" });
  const database = openDatabase({ ...asProcess("signer", config), applicationName: "settlement-signer", maxConnections: CONNECTIONS });
  const powers = {
    db: database.db,
    evm: openEvmChains(config.chains),
    lapsing: openLapsingChains(config.chains, { isLive: config.MODE === "live" }),
    log,
    clock: systemClock,
  };
  const policy = { driftToleranceBps: 0, decisionTargetMinutes: 0, signedApprovals: config.signedApprovals };
  const ctx = { ...powers, mode: config.MODE, passkeys: createPasskeys(config), policy };
  const keys = keysOf(config);
  // It listens before it knows its database, so that a restart takes no longer when that is away.
  const judge = () => assertFitDatabase(ctx, "signer").catch(refuse);
  const server = await serveSigners(config.socket, onceFit(signersOf(ctx, config, keys), judge), log);
  void judge().catch(() => {});
  log.info({ chains: config.chains.map(({ chain }) => chain) }, "the signer is ready");
  process.send?.("ready");
  void checkKeys(ctx, keys);
  const reason = await stopSignal();
  log.info({ reason }, "the signer stops");
  server.close();
  setTimeout(() => process.exit(0), LONGEST_STOP_MS).unref();
  await database.close(1);
  process.exit(0);
}

/** A log-in that can do more than read ends the process: it signs nothing. A database that does not answer may answer later. */
function refuse(error: unknown): never {
  if (!(error instanceof UnfitDatabase)) throw error;
  throw error.cause ?? endBadly("signer", error);
}

try {
  await main();
} catch (error) {
  endBadly("signer", error);
}
