import { asApplication, type OpenDatabase, openDatabase } from "#db/client.ts";
import { addressBlock } from "#domain/address-block.ts";
import { createCallbackSender } from "#server/adapters/callbacks/send.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { systemClock } from "#server/adapters/clock.ts";
import { createFiatGate } from "#server/adapters/fiat/gate.ts";
import { createHttpRail, createProviderCaller } from "#server/adapters/fiat/http.ts";
import { createPasswords } from "#server/adapters/passwords.ts";
import { createHttpRateSource } from "#server/adapters/rates/http/source.ts";
import { createScreener } from "#server/adapters/screening/screener.ts";
import { openSigners } from "#server/adapters/signer/open-signers.ts";
import { createVault } from "#server/adapters/vault.ts";
import { openConsoleGate } from "#server/auth/console-gate.ts";
import { type Config, readConfig, readWorkerConfig, type WorkerConfig } from "#server/config.ts";
import type { Context } from "#server/context.ts";
import { createLog } from "#server/observe/log.ts";
import { meter } from "#server/observe/record.ts";
import type { FiatRail, RateSource, Signers } from "#server/ports.ts";
import { type Door, openLoggingDoor } from "#server/rest/door.ts";

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
    return openLoggingDoor(ctx, config);
  });
}

/** Is aborted when the web process is told to end, while it still answers. */
export function webDraining(): AbortController {
  return oncePerProcess("settlement-service.draining", () => new AbortController());
}

/** Is aborted when the web process ends: whatever holds a connection open for long ends with it. */
export function webEnding(): AbortController {
  return oncePerProcess("settlement-service.ending", () => new AbortController());
}

/** What the console's calls, its pages and its sign-in stand on. */
export function webParts() {
  const { config } = webWiring();
  const { apiLog, limiter } = webDoor();
  const gate = openConsoleGate(config.consoleLimits, { take: limiter.take, clientOf: addressBlock });
  return { ...webWiring(), ending: webEnding().signal, apiLog, gate };
}

/** What only a worker is wired to. */
export type WorkerWiring = Wired<WorkerConfig> & {
  /** null: rates are fixed. */
  rateSource: RateSource | null;
  /** null: the provider is simulated, and calls us by `callAsProvider`. */
  fiatRail: FiatRail | null;
  callAsProvider: ReturnType<typeof createProviderCaller>;
};

/** A worker's context, with the treasury's signers, the market and the fiat provider. */
export function workerWiring(): WorkerWiring {
  const config = readWorkerConfig();
  const wired = wire(config, "worker", openSigners(config.chains));
  const { fiatRail } = config;
  return {
    ...wired,
    rateSource: config.rateHttp === null ? null : createHttpRateSource(config.rateHttp, wired.ctx),
    fiatRail: fiatRail.kind === "http" ? createHttpRail({ ...fiatRail, callbackBaseUrl: config.baseUrl }) : null,
    callAsProvider: createProviderCaller({ baseUrl: localAddress(config), secret: fiatRail.secret }),
  };
}

function wire<Settings extends Config>(config: Settings, kind: "web" | "worker", signers: Signers): Wired<Settings> {
  const database = openDatabase({
    ...asApplication(config),
    applicationName: `settlement-${kind}`,
    // A worker hears notifications on one more connection.
    maxConnections: kind === "web" ? config.webDatabaseConnections : config.workerDatabaseConnections - 1,
  });
  const evm = openEvmChains(config.chains);
  const log = createLog({ level: config.logLevel, process: kind });
  const ctx: Context = {
    mode: config.mode,
    db: database.db,
    clock: systemClock,
    vault: createVault(config.vaultKeys),
    passwords: createPasswords(),
    chains: evm,
    evm,
    signers,
    fiatGate: createFiatGate(config.fiatRail.secret),
    callbacks: createCallbackSender({
      allowHttp: config.mode === "sandbox",
      exemptHosts: config.callbackAllowedHosts,
      ports: config.callbackPorts,
      allowedNetworks: config.callbackAllowedNetworks,
    }),
    screener: createScreener(config.screening, { evm, log }),
    log,
    entryRules: { requireTotpForDeciders: config.requireTotpForDeciders },
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

/** Where programs of this machine reach the web process, however much further it listens. */
function localAddress({ host, port }: Pick<Config, "host" | "port">): string {
  const reached = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reached.includes(":") ? `[${reached}]` : reached}:${port}`;
}
