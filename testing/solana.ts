import { randomBytes } from "node:crypto";
import type { MintPower } from "#domain/solana-mint.ts";
import { type ClusterOptions, startCluster } from "#sandbox/chain/solana/start.ts";
import { addressOfMint, TEST_MINTS } from "#sandbox/chain/solana/test-mints.ts";
import type { SolanaChainSettings } from "#server/adapters/chain/solana/open-solana-chains.ts";
import { solanaKey } from "#server/adapters/signer/solana-key.ts";
import type { LapsingKey } from "#server/ports.ts";

/** Blocks on top of a payment's own until it is final on a test cluster. */
export const FINALIZED_BEHIND = 3;

/** What an issuer of USDC and USDT can do, here and on the main cluster. */
const ACCEPTS: Readonly<Record<string, readonly MintPower[]>> = { USDC: ["freeze_authority"], USDT: ["freeze_authority"] };

export type TestCluster = Awaited<ReturnType<typeof startTestCluster>>;

/** A fresh local Solana cluster without a clock: blocks come on command. Call `stop` in `afterAll`. */
export async function startTestCluster(options: ClusterOptions = {}) {
  const cluster = await startCluster({ finalizedBehind: FINALIZED_BEHIND, ports: [0, 0], ...options });
  const mints = Object.fromEntries(await Promise.all(TEST_MINTS.map(async ({ name }) => [name, await addressOfMint(name)] as const)));
  return {
    ...cluster,
    /** By name. */
    mints,
    /** For a chain with all test tokens, of which only USDC's and USDT's issuers are accepted as they are. */
    settings(nodes: readonly number[] = [0]): SolanaChainSettings {
      return {
        chain: cluster.chain,
        name: "Solana",
        rpcUrls: nodes.map((node) => cluster.urls[node] ?? ""),
        rpcTimeoutMs: 2_000,
        tokens: TEST_MINTS.map(({ name, decimals }) => ({
          currency: name,
          address: mints[name] ?? "",
          decimals,
          accepts: ACCEPTS[name] ?? [],
        })),
      };
    },
    async advance(blocks = 1): Promise<void> {
      await cluster.call("sandbox_advance", [blocks]);
    },
    /** Makes everything that was sent so far final. */
    async finish(): Promise<void> {
      await cluster.call("sandbox_advance", [1 + FINALIZED_BEHIND]);
    },
    async fund(owner: string, lamports: bigint, tokens: Readonly<Record<string, bigint>> = {}): Promise<void> {
      const amounts = Object.fromEntries(Object.entries(tokens).map(([name, amount]) => [name, amount.toString()]));
      await cluster.call("sandbox_fund", [{ owner, lamports: lamports.toString(), tokens: amounts }]);
    },
    async freeze(owner: string, mint: string, isFrozen = true): Promise<void> {
      await cluster.call("sandbox_freeze", [{ owner, mint, isFrozen }]);
      // What is decided by confirmed blocks sees it now.
      await cluster.call("sandbox_advance", [1]);
    },
    /** What is wrong with a node from now on; without any, nothing. */
    async faults(faults: object = {}, node = 0): Promise<void> {
      await cluster.call("sandbox_faults", [faults], node);
    },
    async traffic(traffic: object = {}): Promise<void> {
      await cluster.call("sandbox_traffic", [traffic]);
    },
  };
}

/** A key that nothing else uses. */
export function newSolanaKey(): LapsingKey {
  const seed = randomBytes(32).toString("hex");
  return solanaKey(async () => `0x${seed}`);
}

/** A wallet that somebody else has the key of. */
export async function newSolanaWallet(): Promise<string> {
  return await newSolanaKey().address();
}
