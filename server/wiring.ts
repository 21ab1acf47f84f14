import { asProcess, type OpenDatabase, openDatabase } from "#db/client.ts";
import { onLateUse } from "#db/driver/late-use.ts";
import { EVENT_CHANNEL } from "#db/event-bell.ts";
import { openReplica, type Replica } from "#db/replica.ts";
import { addressBlock } from "#domain/address-block.ts";
import { openAuditKey } from "#domain/audit-key.ts";
import { openCallbackKeys } from "#domain/callback-key.ts";
import { NO_LAPSING_SIGNERS } from "#domain/lapsing-signer.ts";
import { openProofKeys } from "#domain/proof.ts";
import { NO_SIGNERS } from "#domain/signer.ts";
import { createBrokers } from "#server/adapters/brokers/brokers.ts";
import { createCallbackSender } from "#server/adapters/callbacks/send.ts";
import { openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { openLapsingChains } from "#server/adapters/chain/open-lapsing-chains.ts";
import { systemClock } from "#server/adapters/clock.ts";
import { createEventBell } from "#server/adapters/event-bell.ts";
import { createFiatProviders } from "#server/adapters/fiat/providers.ts";
import { createIdentityProviders } from "#server/adapters/identity/providers.ts";
import { createMailer } from "#server/adapters/mail.ts";
import { createPasskeys } from "#server/adapters/passkeys.ts";
import { createPasswords } from "#server/adapters/passwords.ts";
import { createScreener } from "#server/adapters/screening/screener.ts";
import { createVault } from "#server/adapters/vault.ts";
import { openConsoleGate } from "#server/auth/console-gate.ts";
import type { MailSettings } from "#server/config/mail.ts";
import { type Config, readConfig } from "#server/config.ts";
import type { Context } from "#server/context.ts";
import { createLog } from "#server/observe/log.ts";
import { meter, observeLateStatement } from "#server/observe/record.ts";
import { tracer } from "#server/observe/trace.ts";
import type { ChainDirectory, EvmDirectory, LapsingDirectory, LapsingSigners, Signers } from "#server/ports.ts";
import { StatusWatch } from "#server/rest/status-watch.ts";
import { openLoggingSurfaceContext, type SurfaceContext } from "#server/rest/surface-context.ts";

/** One process's context, and what only its entry point needs. */
export type Wired<Settings extends Config> = { ctx: Context; config: Settings; database: OpenDatabase };

/** What a process signs and sends mail with. */
export type Keys = { signers: Signers; lapsingSigners: LapsingSigners; auditSecret: Uint8Array | null; mail: MailSettings };

/**
 * The web process has no key, nor the code that would use one (`server/worker/wiring.ts`): an attacker who breaks into it can sign nothing.
 */
const NO_KEYS: Keys = { signers: NO_SIGNERS, lapsingSigners: NO_LAPSING_SIGNERS, auditSecret: null, mail: null };

/** The web process's context: made at first use, once a process, also where Next bundles this module again and again. */
export function webWiring(): Wired<Config> {
  return oncePerProcess("settlement-service.web", () => wire(readConfig(), "web", NO_KEYS));
}

/** What the surfaces of the web process share, its rate limits among them. */
export function webSurfaceContext(): SurfaceContext {
  return oncePerProcess("settlement-service.door", () => {
    const { ctx, config } = webWiring();
    return openLoggingSurfaceContext(ctx, config);
  });
}

/** What the public status page shows: one watch for each web process, which its entry point starts. */
export function webStatus(): StatusWatch {
  return oncePerProcess("settlement-service.status", () => new StatusWatch(webWiring().ctx));
}

/** Aborted when the web process is asked to stop, while it still answers. */
export function webDraining(): AbortController {
  return oncePerProcess("settlement-service.draining", () => new AbortController());
}

/** Aborted when the web process ends: long-lived connections end with it. */
export function webEnding(): AbortController {
  return oncePerProcess("settlement-service.ending", () => new AbortController());
}

/** What the console's lists are read from, where one is named; null: the database itself. */
export function webReplica(): Replica | null {
  return oncePerProcess("settlement-service.replica", () => {
    const { config, database } = webWiring();
    if (config.databaseReadUrl === null) return null;
    const { role } = asProcess("web", config);
    return openReplica({
      url: config.databaseReadUrl,
      applicationName: "settlement-web-reads",
      maxConnections: config.webDatabaseConnections,
      ...(role === undefined ? {} : { role }),
      primary: database.db,
      maximumLagSeconds: config.databaseReadMaxLagSeconds,
    });
  });
}

/** The context of the console's calls, pages and sign-in. */
export function webParts() {
  const { config } = webWiring();
  const { apiLog, limiter } = webSurfaceContext();
  const gate = openConsoleGate(config.consoleLimits, { take: limiter.take, clientOf: addressBlock });
  return { ...webWiring(), ending: webEnding().signal, apiLog, gate, replica: webReplica() };
}

/** The powers of one process. */
export function wire<Settings extends Config>(
  config: Settings,
  kind: "web" | "worker",
  { signers, lapsingSigners, auditSecret, mail }: Keys,
): Wired<Settings> {
  const database = openDatabase({
    ...asProcess(kind, config),
    applicationName: `settlement-${kind}`,
    // A worker receives notifications on one more connection.
    maxConnections: kind === "web" ? config.webDatabaseConnections : config.workerDatabaseConnections - 1,
  });
  const evm = openEvmChains(config.chains, tracer.place);
  const lapsing = openLapsingChains(config.chains, { isLive: config.mode === "live", tracePlace: tracer.place });
  const begins = config.mode === "sandbox" ? "behind unsigned" : config.auditAnchor;
  const auditKey = openAuditKey({ secret: auditSecret, publicKey: config.auditPublicKey, begins });
  const log = createLog({ level: config.logLevel, process: kind });
  onLateUse((err) => {
    observeLateStatement();
    log.error({ err }, "a statement came after its transaction had ended, and was not sent");
  });
  const ctx: Context = {
    mode: config.mode,
    db: database.db,
    clock: systemClock,
    vault: createVault(config.vaultKeys, { binds: config.vaultBinds }),
    passwords: createPasswords(),
    passkeys: createPasskeys(config),
    chains: allChains(config.chains, evm, lapsing),
    evm,
    signers,
    lapsing,
    lapsingSigners,
    fiatProviders: createFiatProviders(config.fiatRail, config.fiatRail.former),
    brokers: createBrokers({
      allowPlain: config.mode === "sandbox",
      exemptHosts: config.callbackAllowedHosts,
      ports: config.callbackPorts,
      allowedNetworks: config.callbackAllowedNetworks,
    }),
    callbacks: createCallbackSender({
      allowHttp: config.mode === "sandbox",
      exemptHosts: config.callbackAllowedHosts,
      ports: config.callbackPorts,
      allowedNetworks: config.callbackAllowedNetworks,
    }),
    identityProviders: createIdentityProviders({
      allowHttp: config.mode === "sandbox",
      exemptHosts: config.mode === "sandbox" ? ["localhost", "127.0.0.1"] : [],
      allowedNetworks: config.callbackAllowedNetworks,
    }),
    screener: createScreener(config.screening, { evm, lapsing, log }),
    mailer: createMailer(mail, config.sendsMail),
    log,
    entryRules: { requireTotpForDeciders: config.requireTotpForDeciders, requireTotpForAll: config.mode === "live" },
    policy: {
      driftToleranceBps: config.driftToleranceBps,
      signedApprovals: config.signedApprovals,
      decisionTargetMinutes: config.decisionTargetMinutes,
    },
    meter,
    tracer,
    eventBell: createEventBell((...heard) => database.listen(EVENT_CHANNEL, ...heard), kind === "web" ? webDraining().signal : undefined),
    auditKey,
    proofs: openProofKeys(config.baseUrl, config.proofKeys),
    callbackKeys: openCallbackKeys(config.callbackKeys),
  };
  return { ctx, config, database };
}

/** The chains of every family, in the order of the settings. */
function allChains(configured: Config["chains"], evm: EvmDirectory, lapsing: LapsingDirectory): ChainDirectory {
  const find = (chain: string) => evm.find(chain) ?? lapsing.find(chain);
  const all = configured.flatMap(({ chain }) => find(chain) ?? []);
  return { list: () => all, find };
}

function oncePerProcess<Value>(name: string, make: () => Value): Value {
  const key = Symbol.for(name);
  const shared = globalThis as { [key: symbol]: unknown };
  shared[key] ??= make();
  return shared[key] as Value;
}
