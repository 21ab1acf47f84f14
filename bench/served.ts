import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "#sandbox/free-port.ts";
import { seedDemo } from "#sandbox/seed/demo.ts";
import { checkBuild } from "#server/process/preflight.ts";
import { webPart } from "#server/process/service-parts.ts";
import { TEST_CHAIN } from "#testing/factories.ts";

export type Served = {
  baseUrl: string;
  person: { email: string; password: string };
  /** A partner's key, as a client signs with it. */
  credentials: { api_key: string; api_secret: string };
  stop(): Promise<void>;
};

/** Where nobody listens: no page that is measured asks a chain. */
const NO_NODE = "http://127.0.0.1:9";
const READY_WITHIN_MS = 60_000;

/** The built pages in front of that database, and somebody who may look at them. The web process alone: nothing else works meanwhile. */
export async function serve(databaseUrl: string): Promise<Served> {
  checkBuild();
  const { chain, name, native, tokens, confirmations } = settings();
  const vaultKeys = `bench:${randomBytes(32).toString("base64")}`;
  const addresses = Object.fromEntries(tokens.map(({ currency, address }) => [currency, address]));
  const { users, partner } = await seedDemo({ databaseUrl, vaultKeys, chains: [{ chain, tokens: addresses }], secrets: null });
  const directory = mkdtempSync(join(tmpdir(), "settlement-vitals-"));
  const port = await findFreePort();
  const baseUrl = `http://localhost:${port}`;
  const wallets = [{ signer: "sandbox", key_file: join(directory, "no.key") }];
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    MODE: "sandbox",
    PORT: String(port),
    HOST: "",
    BASE_URL: baseUrl,
    DATA_DIR: directory,
    DATABASE_URL: databaseUrl,
    VAULT_KEYS: vaultKeys,
    CHAINS: JSON.stringify([{ chain, name, native, tokens, confirmations, rpc_urls: [NO_NODE], wallets }]),
    CHAINS_FILE: "",
    RATE_SOURCE: "fixed",
    RATE_LIMIT_WRITES_PER_SECOND: "0",
    RATE_LIMIT_READS_PER_SECOND: "0",
    FIAT_RAIL: "simulated",
    FIAT_RAIL_SECRET: randomBytes(24).toString("hex"),
  };
  const logs = { web: join(directory, "web.log"), worker: join(directory, "worker.log") };
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const part = webPart({ env, port, host: null, logs, readyTimeoutMs: READY_WITHIN_MS });
  const running = await part.start(new AbortController().signal).catch((error: unknown) => {
    remove();
    throw error;
  });
  const stop = async () => {
    await running.stop();
    remove();
  };
  const credentials = { api_key: partner.apiKey, api_secret: partner.apiSecret };
  return { baseUrl, person: users.approver, credentials, stop };
}

/** The chain of the seeded settlements, as the configuration writes one. */
function settings() {
  const native = { currency: "ETH", decimals: 18 };
  const tokens = TEST_CHAIN.tokens.flatMap(({ currency, address, decimals }) =>
    address === null ? [] : [{ currency, address, decimals }],
  );
  return { ...TEST_CHAIN, native, tokens };
}
