import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError } from "#server/config.ts";
import { readWhole } from "#server/process/read-whole.ts";

/** Set-up for tests of the configuration: environments that start, in live mode and in the sandbox, to be broken one variable at a time. */

export const folder = mkdtempSync(join(tmpdir(), "config-"));
writeFileSync(join(folder, "keystore.json"), "{}");
export const VAULT_KEY = randomBytes(32).toString("base64");
export const AUDIT_KEY = randomBytes(32);

export const CHAIN = {
  chain: "eip155:1",
  name: "Ethereum",
  rpc_urls: ["https://rpc.example.com"],
  confirmations: 12,
  native: { currency: "ETH", decimals: 18 },
  tokens: [{ currency: "USDT", address: "0xdAC17F958D2ee523a2206206994597C13D831ec7", decimals: 6 }],
  wallets: [{ signer: "keystore", file: join(folder, "keystore.json"), password_env: "WALLET_PASSWORD" }],
};
export const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const TOKEN = {
  signer: "pkcs11",
  library: join(folder, "keystore.json"),
  token: "hot",
  key: "k",
  pin_env: "TOKEN_PIN",
  address: WALLET,
};
export const KMS = { signer: "aws-kms", key: "alias/treasury", region: "eu-central-1", address: WALLET };
export const RATE_HTTP = {
  tickers: [
    { name: "kraken", format: "kraken", url: "https://api.kraken.example/0/public/Ticker?pair={base}{quote}" },
    {
      name: "bitstamp",
      format: "bitstamp",
      url: "https://bitstamp.example/{base}{quote}",
      headers: { "X-Api-Key": { env: "BITSTAMP_KEY" } },
    },
  ],
  references: [
    { name: "ecb", format: "ecb_xml", url: "https://ecb.example/daily.xml" },
    { name: "bank", format: "base_rates", url: "https://bank.example/rates" },
  ],
};
export const LIVE = {
  MODE: "live",
  DATABASE_URL: "postgres://settlement:h7Kq-29fmWx_tR@db.example.com/settlement?sslmode=verify-full",
  BASE_URL: "https://api.example.com",
  CHAINS: JSON.stringify([CHAIN]),
  VAULT_KEYS: `k1:${VAULT_KEY}`,
  AUDIT_KEY: AUDIT_KEY.toString("base64"),
  SIGNING_JOURNAL: join(folder, "signing-journal.log"),
  SIGNER_SOCKET: join(folder, "signer.sock"),
  RATE_SOURCE: "http",
  RATE_HTTP: JSON.stringify(RATE_HTTP),
  FIAT_RAIL: "http",
  FIAT_RAIL_SECRET: "p9Xw-tJ4mQz7_vLs2Rk8-cYh6Nd3bFg1",
  FIAT_RAIL_ORDER_SECRET: "z3Rb-wE7nLc5_kTq9Vd1-aUx4Gm8jYp6",
  FIAT_RAIL_URL: "https://rail.example/v1/",
  BITSTAMP_KEY: "b17-key",
  SCREENING: "off",
  WALLET_PASSWORD: "vT4-tumble-orchid-93",
};
export const PLAIN_DATABASE = "postgres://settlement:h7Kq-29fmWx_tR@db.example.com/settlement";
export const SANDBOX = {
  DATABASE_URL: "postgres://postgres@127.0.0.1:5432/sandbox",
  CHAINS: JSON.stringify([{ ...CHAIN, chain: "eip155:31337", wallets: [{ signer: "sandbox", key_file: "treasury.key" }] }]),
  VAULT_KEYS: `sandbox:${VAULT_KEY}`,
  SIGNER_SOCKET: join(folder, "signer.sock"),
};
/** Without what opens a key, as a worker gets it. */
export const WORKERS = { ...LIVE, WALLET_PASSWORD: undefined };

/** All errors of such an environment, of a whole service's unless another is given. */
export function problemsOf(
  env: Record<string, string | undefined>,
  read: (env: Record<string, string | undefined>) => unknown = (whole) => readWhole(whole as NodeJS.ProcessEnv),
): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

export const withChain = (change: object) => ({ ...LIVE, CHAINS: JSON.stringify([{ ...CHAIN, ...change }]) });

export const withRates = (change: object) => ({ ...LIVE, RATE_HTTP: JSON.stringify({ ...RATE_HTTP, ...change }) });
