import { readConfig } from "#server/config.ts";

/** What the pages show of this installation. */
export type Site = {
  /** Without a trailing slash. */
  baseUrl: string;
  /** The brand in the signing headers' names. */
  brand: string;
  /** The signing headers' names, with the installation's brand in them. */
  headers: { timestamp: string; nonce: string; signature: string };
  sandbox: boolean;
  /** A chain and a currency on it that examples may name. */
  example: { chain: string; currency: string };
  rateLimits: { writesPerSecond: number; readsPerSecond: number };
  callbackAllowedHosts: readonly string[];
  /** null: any. */
  callbackPorts: readonly number[] | null;
};

export function readSite(): Site {
  const config = readConfig();
  const chain = config.chains[0];
  return {
    baseUrl: config.baseUrl,
    brand: config.brand,
    headers: { timestamp: `X-${config.brand}-Timestamp`, nonce: `X-${config.brand}-Nonce`, signature: `X-${config.brand}-Signature` },
    sandbox: config.mode === "sandbox",
    example: { chain: chain?.chain ?? "eip155:1", currency: chain?.tokens[0]?.currency ?? "USDT" },
    rateLimits: config.rateLimits,
    callbackAllowedHosts: config.callbackAllowedHosts,
    callbackPorts: config.callbackPorts,
  };
}
