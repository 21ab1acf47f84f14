import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_LIMITS } from "#domain/default-limits.ts";
import { findFreePort } from "#sandbox/free-port.ts";
import { seedDemo } from "#sandbox/seed/demo.ts";
import { type EvmChainSettings, openEvmChains } from "#server/adapters/chain/evm/open-evm-chains.ts";
import type { EvmDirectory } from "#server/ports.ts";
import { signerEnvironment } from "#server/process/environment.ts";
import { checkBuild } from "#server/process/preflight.ts";
import { signerPart, webParts, workerParts } from "#server/process/service-parts.ts";
import type { Part, Running } from "#server/process/supervisor.ts";
import { openLimits } from "#server/services/exposure/set-limit.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import type { FamilyNetwork } from "#testing/networks/network.ts";
import { type BenchDatabase, type BenchServer, proveBooks } from "#testing/stage/database.ts";
import { chainsOf, keyOf, settingsOf } from "./stage-chains.ts";

/** The environment of a process, besides the common part. */
type Environment = Readonly<Record<string, string>>;

export type Stage = {
  chain: TestChain;
  evm: EvmDirectory;
  /** A network of another family, on which payments are made instead; null: they are made on `chain`. */
  network: FamilyNetwork | null;
  /** Blocks, its own included, until a payment is final. */
  confirmations: number;
  person: { email: string; password: string };
  /** The operator's admin. */
  admin: { email: string; password: string };
  partnerId: string;
  /** The partner's key, as a client signs with it, and what its callbacks are signed with. */
  credentials: { api_key: string; api_secret: string; callback_secret: string };
  operator: { api_key: string };
  /** Where the processes keep their files. */
  directory: string;
  /** What the processes print. */
  logs: { web: string; worker: string; signer: string };
  /** A web process on that port, to be started and supervised by the caller. */
  webPart(port: number, env?: Environment): Part;
  /** The same for the signer of this many treasury wallets. */
  signerPart(wallets: number, env?: Environment): Part;
  /** The same for a worker whose signer has this many treasury wallets: they are funded when this settles. */
  workerPart(wallets: number, env?: Environment): Promise<Part>;
  /** One more web process; settles when it answers. */
  startWeb(env?: Environment): Promise<Running & { baseUrl: string }>;
  /** A worker, with the signer of this many treasury wallets, which runs to the end; settles when it reports ready. */
  startWorker(wallets: number, env?: Environment, signerEnv?: Environment): Promise<Running>;
  /** For a worker with this many wallets that packs nothing, where others do. */
  unpacked(wallets: number): Environment;
  /** For a worker with the keys of this many wallets, and the signer's journal, in its own process. */
  keysInWorker(wallets: number): Environment;
  /** A key whose wallet is funded as the treasury's are. */
  fundedKey(name: string): Promise<`0x${string}`>;
};

const READY_WITHIN_MS = 60_000;
const CONFIRMATIONS = 3;
const KEYS_IN_WORKER = new URL("./programs/keys-in-worker.ts", import.meta.url).href;

type StageOptions = {
  /** Whether the service packs payments; the contract is there, and wallets let it. */
  packing?: boolean;
  /** How often the chain has a block; default: each second. */
  blockSeconds?: number;
  /** The service's URL of the chain; default: the node itself. Judges always use the node. */
  rpcUrlsOf?: (chain: TestChain) => Promise<readonly string[]>;
  /** Somebody else's, started already. */
  network?: FamilyNetwork | undefined;
};

/** The service's processes in front of that database and a local chain, with a block each second by default, for as long as the work takes. */
export async function onStage<T>(database: BenchDatabase, work: (stage: Stage) => Promise<T>, options: StageOptions = {}): Promise<T> {
  checkBuild();
  const directory = mkdtempSync(join(tmpdir(), "settlement-bench-"));
  const chain = await startTestChain({ blockTimeSeconds: options.blockSeconds ?? 1 });
  const running: Running[] = [];
  try {
    const rpcUrls = (await options.rpcUrlsOf?.(chain)) ?? [chain.rpcUrl];
    const { packing = false, network = null } = options;
    return await work(await prepare(database, { chain, rpcUrls, directory, running, packing, network }));
  } finally {
    for (const each of running) await each.stop();
    await chain.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The same in a separate database, with an audit at the end. */
export function onOwnStage(
  server: BenchServer,
  work: (stage: Stage, database: BenchDatabase) => Promise<string>,
  options: StageOptions = {},
): Promise<string> {
  const proven = (database: BenchDatabase) => async (stage: Stage) =>
    `${await work(stage, database)}\n\n${await proveBooks(database, { evm: stage.evm, ...(stage.network && { lapsing: stage.network.judge }) })}`;
  return server.withDatabase((database) => onStage(database, proven(database), options));
}

type Place = {
  chain: TestChain;
  rpcUrls: readonly string[];
  directory: string;
  running: Running[];
  packing: boolean;
  network: FamilyNetwork | null;
};

/** The limits that a live service begins with, so high that they count each payment and hold none. */
const OUT_OF_REACH = DEFAULT_LIMITS.map((limit) => ({
  ...limit,
  timesMaximum: limit.timesMaximum === null ? null : 1_000_000_000,
  amountAtto: limit.amountAtto === null ? null : 10n ** 36n,
}));

async function prepare(database: BenchDatabase, { chain, rpcUrls, directory, running, packing, network }: Place): Promise<Stage> {
  const vaultKeys = `bench:${randomBytes(32).toString("base64")}`;
  const chains = [{ chain: chain.chain, tokens: { ...chain.tokens } }, ...(network === null ? [] : [network])];
  const { users, partner, operator } = await seedDemo({ databaseUrl: database.url, vaultKeys, chains, secrets: null });
  await openLimits(database, OUT_OF_REACH, "of a live service, out of reach of what is measured");
  const settings = settingsOf(chain, { confirmations: CONFIRMATIONS, packing });
  const keyFile = (name: string) => join(directory, `${name}.key`);
  const fundedKey = (name: string) => keyOf(keyFile(name), { chain, packing, network });
  const logs = { web: join(directory, "web.log"), worker: join(directory, "worker.log"), signer: join(directory, "signer.log") };
  const setup = {
    directory,
    database,
    vaultKeys,
    keyFile,
    settings: { ...settings, rpcUrls },
    network,
    railSecret: randomBytes(24).toString("hex"),
  };
  const optionsOf = (port: number, wallets: readonly string[], more: Environment) => {
    return { readyTimeoutMs: READY_WITHIN_MS, logs, env: { ...environment(setup, port, wallets), ...more } };
  };
  const partOf = (of: typeof webParts, port: number, wallets: readonly string[], more: Environment = {}): Part => {
    const [one] = of(optionsOf(port, wallets, more), 1);
    if (one === undefined) throw new Error("one process was asked for");
    return one;
  };
  const started = async (part: Part) => {
    const one = await part.start(new AbortController().signal);
    running.push(one);
    return one;
  };
  const webPart: Stage["webPart"] = (port, env) => partOf(webParts, port, ["treasury-0"], env);
  const namesOf = (wallets: number) => Array.from({ length: wallets }, (_, number) => `treasury-${number}`);
  const signerOf: Stage["signerPart"] = (wallets, env = {}) => signerPart(optionsOf(0, namesOf(wallets), env));
  const workerPart: Stage["workerPart"] = async (wallets, env) => {
    const names = namesOf(wallets);
    for (const name of names) await fundedKey(name);
    return partOf(workerParts, 0, names, env);
  };
  const startWithSigner = withSigners(signerOf, started);
  return {
    chain,
    evm: openEvmChains([settings]),
    network,
    confirmations: CONFIRMATIONS,
    person: users.approver,
    admin: users.admin,
    fundedKey,
    partnerId: partner.id,
    credentials: { api_key: partner.apiKey, api_secret: partner.apiSecret, callback_secret: partner.callbackSecret },
    operator: { api_key: operator.apiKey },
    directory,
    logs,
    webPart,
    signerPart: signerOf,
    workerPart,
    unpacked: (wallets) => ({
      CHAINS: chainsOf({ ...setup, settings: { ...setup.settings, packing: false } }, namesOf(wallets).map(keyFile)),
    }),
    keysInWorker: (wallets) => keysInWorker(setup, namesOf(wallets)),
    async startWeb(env) {
      const port = await findFreePort();
      return { ...(await started(webPart(port, env))), baseUrl: `http://localhost:${port}` };
    },
    startWorker: async (wallets, env, signerEnv) => await startWithSigner(wallets, await workerPart(wallets, env), signerEnv),
  };
}

/** The signer of so many wallets is started once, before its first worker. */
function withSigners(signerOf: Stage["signerPart"], started: (part: Part) => Promise<Running>) {
  const signers = new Map<number, Promise<Running>>();
  return async (wallets: number, worker: Part, env: Environment | undefined) => {
    if (!signers.has(wallets)) signers.set(wallets, started(signerOf(wallets, env)));
    await signers.get(wallets);
    return await started(worker);
  };
}

type Setup = {
  directory: string;
  database: BenchDatabase;
  vaultKeys: string;
  railSecret: string;
  settings: EvmChainSettings;
  network: FamilyNetwork | null;
  keyFile: (wallet: string) => string;
};

function keysInWorker(setup: Setup, wallets: readonly string[]): Environment {
  const settings = join(setup.directory, "keys-in-worker.json");
  writeFileSync(settings, JSON.stringify(signerEnvironment(environment(setup, 0, wallets))), { mode: 0o600 });
  return { NODE_OPTIONS: `--import=${KEYS_IN_WORKER}?settings=${settings}` };
}

function environment(setup: Setup, port: number, wallets: readonly string[]) {
  const { directory, database, vaultKeys, railSecret } = setup;
  return {
    ...process.env,
    NODE_ENV: "production" as const,
    MODE: "sandbox",
    PORT: String(port),
    HOST: "",
    BASE_URL: `http://localhost:${port}`,
    DATA_DIR: directory,
    DATABASE_URL: database.url,
    DATABASE_LAYOUT: database.layout ?? "",
    SIGNER_SOCKET: join(directory, `signer-${wallets.length}`, "signer.sock"),
    VAULT_KEYS: vaultKeys,
    CHAINS_FILE: "",
    RATE_SOURCE: "fixed",
    CHAINS: chainsOf(setup, wallets.map(setup.keyFile)),
    // Answers are checked against their schemas in tests and sandboxes; a live service does not.
    RATE_LIMIT_WRITES_PER_SECOND: "0",
    RATE_LIMIT_READS_PER_SECOND: "0",
    CHECK_ANSWERS: "0",
    FIAT_RAIL: "simulated",
    FIAT_RAIL_SECRET: railSecret,
  };
}
