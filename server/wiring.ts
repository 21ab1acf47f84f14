import { applicationRole } from "#db/application-role.ts";
import { type OpenDatabase, openDatabase } from "#db/client.ts";
import { createCallbackSender } from "#server/adapters/callbacks/send.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { systemClock } from "#server/adapters/clock.ts";
import { createPasswords } from "#server/adapters/passwords.ts";
import { createHttpRateSource } from "#server/adapters/rates/http/source.ts";
import { openSigners } from "#server/adapters/signer/open-signers.ts";
import { createVault } from "#server/adapters/vault.ts";
import { type Config, readConfig, readWorkerConfig, type WorkerConfig } from "#server/config.ts";
import type { Context } from "#server/context.ts";
import { createLog } from "#server/observe/log.ts";
import { meter } from "#server/observe/record.ts";
import type { RateSource, Signers } from "#server/ports.ts";
import { type Door, openDoor } from "#server/rest/door.ts";

/** One process's context, and what only its entry point needs. */
export type Wired<Settings extends Config> = { ctx: Context; config: Settings; database: OpenDatabase };

/** The web process has no key: whoever breaks into it can sign nothing. */
const NO_SIGNERS: Signers = { of: () => [] };

/** The web process's context: made at first use, once a process, also where Next bundles this module again and again. */
export function webWiring(): Wired<Config> {
  return oncePerProcess("settlement-service.web", () => wire(readConfig(), "web", NO_SIGNERS));
}

/** What the surfaces of the web process share, its rate limits among them. */
export function webDoor(): Door {
  return oncePerProcess("settlement-service.door", () => {
    const { ctx, config } = webWiring();
    return openDoor(ctx, config);
  });
}

/** A worker's context, with the treasury's signers and, unless rates are fixed, the market they come from. */
export function workerWiring(): Wired<WorkerConfig> & { rateSource: RateSource | null } {
  const config = readWorkerConfig();
  const wired = wire(config, "worker", openSigners(config.chains));
  return { ...wired, rateSource: config.rateHttp === null ? null : createHttpRateSource(config.rateHttp, wired.ctx) };
}

function wire<Settings extends Config>(config: Settings, kind: "web" | "worker", signers: Signers): Wired<Settings> {
  const database = openDatabase({
    url: config.databaseUrl,
    applicationName: `settlement-${kind}`,
    maxConnections: kind === "web" ? config.webDatabaseConnections : config.workerDatabaseConnections,
    role: applicationRole(decodeURIComponent(new URL(config.databaseUrl).pathname.slice(1))),
  });
  const evm = openEvmChains(config.chains);
  const ctx: Context = {
    mode: config.mode,
    db: database.db,
    clock: systemClock,
    vault: createVault(config.vaultKeys),
    passwords: createPasswords(),
    chains: evm,
    evm,
    signers,
    callbacks: createCallbackSender({ allowHttp: config.mode === "sandbox", exemptHosts: config.callbackAllowedHosts }),
    log: createLog({ level: config.logLevel, process: kind }),
    policy: { driftToleranceBps: config.driftToleranceBps },
    meter,
  };
  return { ctx, config, database };
}

function oncePerProcess<Value>(name: string, make: () => Value): Value {
  const key = Symbol.for(name);
  const shared = globalThis as { [key: symbol]: unknown };
  shared[key] ??= make();
  return shared[key] as Value;
}
