import { createPrivateKey, createPublicKey } from "node:crypto";
import { z } from "zod";
import { solanaAddressOf } from "#domain/solana-address.ts";
import { chainEntry, lapsingSettingsOf } from "#sandbox/chain/families.ts";
import { startCluster } from "#sandbox/chain/solana/start.ts";
import { addressOfMint } from "#sandbox/chain/solana/test-mints.ts";
import { openLapsingChains } from "#server/adapters/chain/open-lapsing-chains.ts";
import { solanaKey } from "#server/adapters/signer/solana-key.ts";
import type { FamilyNetwork, NodeFault, PaymentThere } from "./network.ts";

const SLOT_MS = 200;
const FINALIZED_BEHIND = 3;
/** A blockhash's life, what the adapter adds, and some blocks until one of them is final. */
const LAPSE_BLOCKS = 170;
const UNITS = 1_000_000n;
const [COINS, TOKENS] = ["10000000000000", String(1_000_000_000n * UNITS)];
/** An Ed25519 private key as PKCS #8, up to its 32 bytes. */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

const Moved = z.array(z.object({ signature: z.string(), owner: z.string(), mint: z.string(), amount: z.coerce.bigint() }));

const FAULTS: Readonly<Partial<Record<NodeFault, (ids: readonly string[]) => object>>> = {
  none: () => ({}),
  lags: () => ({ lag: 12 }),
  forgets: () => ({ keepsBlocks: 4 }),
  hides: (ids) => ({ hides: ids }),
  swallows: () => ({ swallows: true }),
  silent: () => ({ isSilent: true }),
};

/** A local Solana cluster of three nodes over the real runtime. */
export async function startSolanaNetwork(): Promise<FamilyNetwork> {
  const cluster = await startCluster({ ports: [0, 0, 0], slotMs: SLOT_MS, finalizedBehind: FINALIZED_BEHIND });
  const tokens = { USDT: await addressOfMint("USDT"), USDC: await addressOfMint("USDC") };
  const { chain } = cluster;
  const [first = "", second = "", judges = ""] = cluster.urls;
  const call = (method: string, ...params: unknown[]) => cluster.call(method, params, 2);
  return {
    family: "solana",
    chain,
    tokens,
    urls: [first, second],
    judge: openLapsingChains([lapsingSettingsOf({ chain, rpc_url: judges, tokens }) ?? {}], { isLive: false }),
    lapseMs: LAPSE_BLOCKS * SLOT_MS,
    faults: ["lags", "forgets", "hides", "swallows", "silent"],
    entry: (keyFiles, rpcUrls) => chainEntry("solana", { chain, rpcUrls, tokens, keyFiles }),
    async fund(key) {
      const owner = await solanaKey(async () => key).address();
      await call("sandbox_fund", { owner, lamports: COINS, tokens: { USDC: TOKENS, USDT: TOKENS } });
      await call("sandbox_advance", FINALIZED_BEHIND + 1);
    },
    walletOf(hex) {
      const seed = Buffer.concat([Buffer.from(hex, "hex"), Buffer.alloc(12)]);
      const secret = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: "der", type: "pkcs8" });
      const { x = "" } = createPublicKey(secret).export({ format: "jwk" });
      return solanaAddressOf(Buffer.from(x, "base64url"));
    },
    async payments() {
      const moved = Moved.parse(await call("sandbox_moved")).filter(({ mint }) => mint === tokens.USDT);
      const paying = Map.groupBy(moved, ({ signature }) => signature);
      return [...paying].flatMap(([txHash, moves]): PaymentThere[] => {
        if (!moves.some(({ amount }) => amount < 0n)) return [];
        return moves.filter(({ amount }) => amount > 0n).map(({ owner, amount }) => ({ wallet: owner, amountBase: amount, txHash }));
      });
    },
    hold: async () => void (await call("sandbox_traffic", { isCongested: true })),
    release: async () => void (await call("sandbox_traffic", {})),
    async passExpiry() {
      await call("sandbox_advance", LAPSE_BLOCKS);
      await call("sandbox_traffic", {});
    },
    misbehave: async (fault, ids) => void (await cluster.call("sandbox_faults", [FAULTS[fault]?.(ids) ?? {}], 0)),
    disturb: async () => void (await call("sandbox_fork", FINALIZED_BEHIND - 1, false)),
    stop: () => cluster.stop(),
  };
}
