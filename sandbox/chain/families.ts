import { generateKeyPairSync } from "node:crypto";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { TRON_DOUBLE } from "#domain/chain-id.ts";
import { solanaAddressOf } from "#domain/solana-address.ts";
import { tronOfHex } from "#domain/tron-address.ts";
import type { Family } from "#sandbox/settings.ts";
import type { LapsingChainSettings } from "#server/adapters/chain/open-lapsing-chains.ts";

/** Tempo's local network. Its number is that of development chains. */
export const TEMPO_CHAIN = "eip155:1337";
/** The tokens that every local network of Tempo has. The first pays the fees; the others are the test USDC and USDT. */
export const TEMPO_TOKENS = {
  PATHUSD: "0x20c0000000000000000000000000000000000000",
  USDC: "0x20c0000000000000000000000000000000000001",
  USDT: "0x20c0000000000000000000000000000000000002",
} as const;
export const FAMILY_NAMES: Readonly<Record<Family, string>> = {
  solana: "Sandbox Solana",
  tron: "Sandbox Tron (a double)",
  tempo: "Sandbox Tempo",
};

/** The family of one of the sandbox's chains; null: EVM's. */
export function familyOf(chain: string): Family | null {
  if (chain.startsWith("solana:")) return "solana";
  if (chain === TRON_DOUBLE) return "tron";
  return chain === TEMPO_CHAIN ? "tempo" : null;
}

type Announced = { chain: string; rpc_url: string; tokens: Readonly<Record<string, string>> };

/** A chain of `sandbox.json` as adapters open it; null: it is EVM's. */
export function lapsingSettingsOf({ chain, rpc_url: rpcUrl, tokens: announced }: Announced): LapsingChainSettings | null {
  const family = familyOf(chain);
  if (family === null) return null;
  const tokens = Object.entries(family === "tempo" ? TEMPO_TOKENS : announced).map(([currency, address]) => ({
    currency,
    address,
    decimals: 6,
  }));
  const common = { chain, name: FAMILY_NAMES[family], rpcUrls: [rpcUrl] };
  switch (family) {
    case "solana":
      return {
        ...common,
        family,
        native: { currency: "SOL", decimals: 9 },
        tokens: tokens.map((token) => ({ ...token, accepts: ["freeze_authority"] })),
      };
    case "tron":
      return { ...common, family, native: { currency: "TRX", decimals: 6 }, tokens };
    case "tempo":
      return { ...common, family, native: null, tokens, confirmations: 2, feeCurrency: "PATHUSD", validForSeconds: 25 };
  }
}

type Entry = { chain: string; rpcUrls: readonly string[]; tokens: Readonly<Record<string, string>>; keyFiles: readonly string[] };

/** A local chain's entry in CHAINS. `tokens`: of Tempo's, all that it has. */
export function chainEntry(family: Family, { chain, rpcUrls, tokens, keyFiles }: Entry): object {
  const listed = Object.entries(tokens).map(([currency, address]) => ({ currency, address, decimals: 6 }));
  const common = {
    chain,
    name: FAMILY_NAMES[family],
    rpc_urls: rpcUrls,
    wallets: keyFiles.map((file) => ({ signer: "sandbox", key_file: file })),
  };
  switch (family) {
    case "solana":
      return { ...common, tokens: listed.map((token) => ({ ...token, accepts: ["freeze_authority"] })) };
    case "tron":
      return { ...common, tokens: listed };
    case "tempo":
      return { ...common, gas: "token", confirmations: 2, tokens: listed, fee_currency: "PATHUSD" };
  }
}

/** A new wallet. Its key is not kept. */
export function newWalletOf(family: Family): string {
  if (family === "solana") {
    const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
    return solanaAddressOf(Buffer.from(x, "base64url"));
  }
  const address = privateKeyToAddress(generatePrivateKey());
  return family === "tron" ? tronOfHex(address) : address;
}
