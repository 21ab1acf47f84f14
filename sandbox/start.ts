import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { migrate } from "#db/migrate.ts";
import { provideServiceLogins, type ServiceLogins } from "#db/service-login.ts";
import { printTable, sandboxFile, writeSandboxFile } from "#sandbox/announce.ts";
import { CHAIN, CONFIRMATIONS } from "#sandbox/chain/anvil.ts";
import { type OtherChain, startOtherFamilies } from "#sandbox/chain/other-families.ts";
import { localChain } from "#sandbox/chain/part.ts";
import { checkDevelopmentNode, type PreparedChain, prepareChain } from "#sandbox/chain/prepare.ts";
import { preparePartnerSafes } from "#sandbox/chain/safes.ts";
import { checkMachine } from "#sandbox/check-machine.ts";
import { logFile, takeDataDirectory } from "#sandbox/data-directory.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import type { Administrator } from "#sandbox/history/databases.ts";
import { beforeHistory, historyPart, resumeHistory } from "#sandbox/history/part.ts";
import { type Kept, readKept, writeKept } from "#sandbox/kept.ts";
import { keepMail } from "#sandbox/mail-catcher.ts";
import { embeddedPostgres } from "#sandbox/postgres/part.ts";
import { restartOnChange } from "#sandbox/restart-on-change.ts";
import { writeAddressList } from "#sandbox/screening.ts";
import { seedDemo } from "#sandbox/seed/demo.ts";
import { readSettings, type SandboxSettings } from "#sandbox/settings.ts";
import { simulatedReceivers } from "#sandbox/world/receivers.ts";
import { simulatedAdmin } from "#sandbox/world/simulated-admin.ts";
import { steeredNode } from "#sandbox/world/steered-node.ts";
import { localAddress } from "#server/process/local-address.ts";
import { checkBuild, checkDatabase } from "#server/process/preflight.ts";
import { newSocket, type ServiceOptions, signerPart, webParts, workerParts } from "#server/process/service-parts.ts";
import { createSupervisor, type Supervisor } from "#server/process/supervisor.ts";
import { say, step } from "#server/process/terminal.ts";
import { Trouble } from "#server/process/trouble.ts";
import { runUntilStopped } from "#server/process/until-stopped.ts";

const WORKER_SOURCES = ["db", "server"].map((folder) => fileURLToPath(new URL(`../${folder}`, import.meta.url)));

/** The whole service on one machine, with play money, until Ctrl-C or SIGTERM. */
export async function startSandbox(options: { development: boolean }): Promise<never> {
  const supervisor = createSupervisor(say);
  return runUntilStopped(
    () => start(supervisor, options.development),
    () => supervisor.stop(),
  );
}

async function start(supervisor: Supervisor, development: boolean): Promise<void> {
  const started = Date.now();
  const settings = readSettings(process.env);
  if (!development) checkBuild();
  await checkMachine(settings);
  const directory = await takeDataDirectory(settings.dataDir);
  rmSync(sandboxFile(directory), { force: true });
  const kept = readKept(directory);
  say(`Starting the sandbox in ${directory}`);
  const { databaseUrl, administrator } = await startDatabase(supervisor, settings, directory, kept);
  const hasHistory = administrator !== null && settings.historyDays > 0;
  const isFirst = kept.demo === null;
  const { rpcUrl, chain, others } = await startChains(supervisor, { settings, directory, kept, hasHistory, isFirst });
  const logins = await step("Migrations", () => migrateFor(databaseUrl));
  const seed = { databaseUrl, vaultKeys: kept.vaultKeys, chains: [{ chain: CHAIN, tokens: chain.tokens }, ...others], secrets: kept.demo };
  const since = isFirst && hasHistory ? { since: beforeHistory(settings.historyDays) } : {};
  const demo = await step("Demo data", () => seedDemo({ ...seed, ...since }));
  kept.demo = demo;
  writeKept(directory, kept);
  const partnerIds = [demo.partner.id, demo.secondPartner.id];
  await step("Partners' Safes", () =>
    preparePartnerSafes({ rpcUrl, databaseUrl, tokens: chain.tokens, treasury: chain.treasury.address, partnerIds }),
  );
  const world = await startWorld(supervisor, rpcUrl, directory, kept);
  const port = settings.port === 0 ? await findFreePort() : settings.port;
  const baseUrl = settings.baseUrl ?? `http://localhost:${port}`;
  const mailUrl = process.env.SMTP_URL ? null : await keepMail(directory);
  const addressList = settings.screeningList ?? writeAddressList(directory);
  const networks = { rpcUrl: world.nodeUrl, chain, others };
  const service = serviceOptions({ ...networks, settings, port, baseUrl, directory, logins, kept, addressList, mailUrl, development });
  const history = administrator && (await resumeHistory({ administrator, isFirst, days: settings.historyDays }));
  await step("Web process", () => supervisor.run(signerPart(service), ...webParts(service, development ? 1 : settings.processes.web)));
  const workers = workerParts(service, settings.processes.worker);
  // Next compiles again what changed; a worker has to begin again.
  const tended = development ? workers.map((worker) => restartOnChange(worker, WORKER_SOURCES)) : workers;
  await step("Worker process", () => supervisor.run(...tended));
  const local = localAddress({ host: settings.host, port });
  await supervisor.run(simulatedAdmin({ databaseUrl, baseUrl: local, apiKey: demo.operator.apiKey }));
  const announcement = {
    directory,
    baseUrl,
    demo,
    railSecret: kept.railSecret,
    chain: { chain: CHAIN, rpcUrl, tokens: chain.tokens },
    others,
    treasury: chain.treasury.address,
    receiversUrl: `http://localhost:${world.receiversPort}`,
  };
  writeSandboxFile(announcement);
  printTable(announcement, (Date.now() - started) / 1000);
  if (history) {
    const place = { administrator: history, databaseUrl, rpcUrl, tokens: chain.tokens, directory, receiversPort: world.receiversPort };
    await supervisor.run(historyPart(service, { ...place, days: settings.historyDays, sandboxFile: sandboxFile(directory) }));
  }
}

/** As the owner; returns the log-ins of the processes, which own nothing (docs/decisions/second-line.md). */
async function migrateFor(ownerUrl: string): Promise<ServiceLogins> {
  await migrate(ownerUrl);
  const logins = await provideServiceLogins(ownerUrl);
  if (logins === null) say("The database lets nobody in but its owner: all processes log in as that one, and the second line is thinner.");
  return logins ?? { web: ownerUrl, worker: ownerUrl, signer: ownerUrl };
}

type StartedDatabase = {
  databaseUrl: string /** null: not ours, so we make no further databases in it. */;
  administrator: Administrator | null;
};

async function startDatabase(supervisor: Supervisor, settings: SandboxSettings, directory: string, kept: Kept): Promise<StartedDatabase> {
  const external = settings.databaseUrl;
  if (external !== null) {
    const owns = await step("Database of DATABASE_URL", () => checkDatabase(external));
    if (!owns) throw new Trouble("The role of DATABASE_URL does not own its database: `alter database … owner to …`.");
    return { databaseUrl: external, administrator: null };
  }
  return step("PostgreSQL", async () => {
    kept.ports.postgres = await findFreePort(kept.ports.postgres);
    writeKept(directory, kept);
    const { part, ...started } = await embeddedPostgres(directory, kept.ports.postgres, {
      superuser: kept.postgresPassword,
      role: kept.databasePassword,
    });
    await supervisor.run(part);
    return started;
  });
}

type WithHistory = { settings: SandboxSettings; directory: string; kept: Kept; hasHistory: boolean; isFirst: boolean };

/** EVM's chain and the networks of other families, each with test tokens and a treasury. */
async function startChains(supervisor: Supervisor, { settings, directory, kept, hasHistory, isFirst }: WithHistory) {
  const rpcUrl = await startChain(supervisor, settings, directory, kept);
  const place = { supervisor, directory, kept };
  const [chain, others] = await step("Test tokens and treasuries", () =>
    Promise.all([prepareChain(rpcUrl, directory, { hasHistory, isFirst }), startOtherFamilies(settings.families, place)]),
  );
  writeKept(directory, kept);
  return { rpcUrl, chain, others };
}

async function startChain(supervisor: Supervisor, settings: SandboxSettings, directory: string, kept: Kept): Promise<string> {
  const external = settings.chainRpcUrl;
  if (external !== null) {
    await step("Development node at CHAIN_RPC_URL", () => checkDevelopmentNode(external));
    return external;
  }
  return step("Local chain", async () => {
    kept.ports.chain = await findFreePort(kept.ports.chain);
    writeKept(directory, kept);
    const chain = localChain(directory, kept.ports.chain);
    await supervisor.run(chain.part);
    return chain.rpcUrl;
  });
}

/** What the sandbox has around the service: its chain as the service sees it, and receivers of callbacks. */
async function startWorld(supervisor: Supervisor, rpcUrl: string, directory: string, kept: Kept) {
  const port = await findFreePort();
  // The same at every start, as callbacks name it.
  const receiversPort = await findFreePort(kept.ports.receivers);
  kept.ports.receivers = receiversPort;
  writeKept(directory, kept);
  await supervisor.run(steeredNode(rpcUrl, port), simulatedReceivers(receiversPort));
  return { nodeUrl: `http://127.0.0.1:${port}`, receiversPort };
}

type Assembled = {
  settings: SandboxSettings;
  port: number;
  baseUrl: string;
  directory: string;
  logins: ServiceLogins;
  rpcUrl: string;
  chain: PreparedChain;
  others: readonly OtherChain[];
  kept: Kept;
  /** A file. */
  addressList: string;
  /** The address of the mail catcher; null: the environment names a server. */
  mailUrl: string | null;
  development: boolean;
};

/** Where the operator may take crypto out of the wallets: the tenth account of every development chain. */
const TREASURY_DESTINATION = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720";

/** The environment of web process and worker: the same variables as in live mode. */
function serviceOptions(all: Assembled): ServiceOptions {
  const chain = {
    chain: CHAIN,
    name: "Sandbox chain",
    rpc_urls: [all.rpcUrl],
    confirmations: CONFIRMATIONS,
    native: { currency: "ETH", decimals: 18 },
    treasury_destinations: [TREASURY_DESTINATION],
    tokens: Object.entries(all.chain.tokens).map(([currency, address]) => ({ currency, address, decimals: 6, blocklist: "none" })),
    packing: true,
    // The first owns the Safes.
    wallets: [all.chain.treasury, ...(all.chain.lowWallet ? [all.chain.lowWallet] : [])].map(({ keyFile }) => ({
      signer: "sandbox",
      key_file: keyFile,
    })),
  };
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: all.development ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    MODE: "sandbox",
    PORT: String(all.port),
    HOST: all.settings.host,
    DATA_DIR: all.directory,
    WEB_DATABASE_URL: all.logins.web,
    WORKER_DATABASE_URL: all.logins.worker,
    SIGNER_DATABASE_URL: all.logins.signer,
    BASE_URL: all.baseUrl,
    CHAINS: JSON.stringify([chain, ...all.others.map(({ settings }) => settings)]),
    SIGNER_SOCKET: newSocket(),
    VAULT_KEYS: all.kept.vaultKeys,
    PROOF_KEYS: all.kept.proofKeys,
    CALLBACK_KEYS: all.kept.callbackKeys,
    AUDIT_KEY: all.kept.auditKey,
    RATE_SOURCE: process.env.RATE_SOURCE || "fixed",
    FIAT_RAIL: "simulated",
    FIAT_RAIL_SECRET: all.kept.railSecret,
    SCREENING_LIST: all.addressList,
    ...(all.mailUrl === null ? {} : { SMTP_URL: all.mailUrl, MAIL_FROM: "Sandbox <sandbox@localhost.example>" }),
    ...(all.development ? { NEXT_DEV: "1" } : {}),
  };
  const logOf = (name: string) => logFile(all.directory, name);
  const logs = all.development ? null : { web: logOf("web"), worker: logOf("worker"), signer: logOf("signer") };
  return { env, logs, readyTimeoutMs: all.development ? 180_000 : 60_000 };
}
