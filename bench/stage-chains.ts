import { existsSync } from "node:fs";
import { privateKeyToAddress } from "viem/accounts";
import type { EvmChainSettings } from "#server/adapters/chain/evm/open-evm-chains.ts";
import { readOrMakeKey } from "#server/adapters/signer/key-file.ts";
import type { TestChain } from "#testing/chain.ts";
import type { FamilyNetwork } from "#testing/networks/network.ts";
import { allowPacking } from "#testing/packing.ts";

/** The chains of a stage as the service is configured with them, and the wallets on them. */

const NATIVE = { currency: "ETH", decimals: 18 };
const HOLDING = { ether: 1_000, tokens: 1_000_000_000 };

/** The local chain, asked directly. */
export function settingsOf(chain: TestChain, { confirmations, packing }: { confirmations: number; packing: boolean }): EvmChainSettings {
  const tokens = Object.entries(chain.tokens).map(([currency, address]) => ({ currency, address, decimals: 6 }));
  return { chain: chain.chain, name: "Local chain", rpcUrls: [chain.rpcUrl], confirmations, native: NATIVE, tokens, packing };
}

type Funding = { chain: TestChain; packing: boolean; network: FamilyNetwork | null };

/** The key in a file, which is made where there is none. Its wallet is funded on each chain. */
export async function keyOf(file: string, { chain, packing, network }: Funding): Promise<`0x${string}`> {
  const isNew = !existsSync(file);
  const key = await readOrMakeKey(file);
  const wallet = privateKeyToAddress(key);
  await chain.fund(wallet, HOLDING);
  // On the other chains each gift is one more.
  if (isNew) await network?.fund(key);
  if (packing) await allowPacking(chain, [wallet]);
  return key;
}

/** Tron makes one payment in a transaction. */
const packingOf = ({ family }: FamilyNetwork, { packing }: EvmChainSettings) => (family !== "tron" && packing ? { packing } : {});

type Chains = { settings: EvmChainSettings; network: FamilyNetwork | null };

/** The text of CHAINS, with the treasury wallets whose keys these files have. */
export function chainsOf({ settings, network }: Chains, files: readonly string[]): string {
  const { rpcUrls, ...rest } = settings;
  const wallets = files.map((file) => ({ signer: "sandbox", key_file: file }));
  // Two nodes must agree about every payment there.
  const more =
    network === null ? [] : [{ ...network.entry(files, network.urls), two_nodes_from: { USDT: 0 }, ...packingOf(network, settings) }];
  return JSON.stringify([{ ...rest, rpc_urls: rpcUrls, wallets }, ...more]);
}
