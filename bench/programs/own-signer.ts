import { readFileSync } from "node:fs";
import { z } from "zod";
import { asProcess, openDatabase } from "#db/client.ts";
import type { AllSigners } from "#domain/lapsing-signer.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { openLapsingChains } from "#server/adapters/chain/open-lapsing-chains.ts";
import { systemClock } from "#server/adapters/clock.ts";
import { createPasskeys } from "#server/adapters/passkeys.ts";
import { readSignerConfig } from "#server/config/read-signer.ts";
import { createLog } from "#server/observe/log.ts";
import { signersOf } from "#server/signer/wiring.ts";

/** As many as the signer's process has. */
const CONNECTIONS = 4;

/** In place of the signer's socket: keys, journal and log-in of the signer, in the worker's process. */
export function connectSigners(): AllSigners {
  const file = new URL(import.meta.url).searchParams.get("settings") ?? "";
  const config = readSignerConfig(z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, "utf8"))));
  const log = createLog({ level: config.LOG_LEVEL, process: "signer" });
  const { db } = openDatabase({ ...asProcess("signer", config), applicationName: "bench-signer", maxConnections: CONNECTIONS });
  const lapsing = openLapsingChains(config.chains, { isLive: config.MODE === "live" });
  const powers = { db, evm: openEvmChains(config.chains), lapsing, log, clock: systemClock };
  const policy = { driftToleranceBps: 0, signedApprovals: config.signedApprovals, decisionTargetMinutes: 0 };
  return signersOf({ ...powers, mode: config.MODE, passkeys: createPasskeys(config), policy }, config);
}
