import { readFile } from "node:fs/promises";
import type { Hex } from "viem";
import type { LapsingKey, LapsingKeys } from "#server/ports.ts";
import { readOrMakeKey } from "./key-file.ts";
import { openKeystore } from "./keystore-v3.ts";
import { solanaKey } from "./solana-key.ts";
import { tempoKey } from "./tempo-key.ts";
import { tronKey } from "./tron-key.ts";

/** Who signs for a treasury wallet, as the configuration says. The other kinds of signers know EVM chains only. */
type WalletInFile = { signer: "sandbox"; keyFile: string } | { signer: "keystore"; file: string; password: string };
type LapsingChainKeys = { family: keyof typeof KEYS; chain: string; wallets: readonly (WalletInFile | { signer: string })[] };

const KEYS = { solana: solanaKey, tempo: tempoKey, tron: tronKey } as const;

/** The keys of chains whose payments lapse, by chain; EVM's are left out. Nothing is read before a key's first use. @throws Error where no file has the key */
export function openLapsingKeys(chains: readonly (LapsingChainKeys | { family: "evm" })[]): LapsingKeys {
  const byChain = new Map(
    chains.flatMap((chain) =>
      chain.family === "evm" ? [] : [[chain.chain, chain.wallets.map((wallet) => openKey(chain, wallet))] as const],
    ),
  );
  return { of: (chain) => byChain.get(chain) ?? [] };
}

function openKey({ family, chain }: LapsingChainKeys, wallet: LapsingChainKeys["wallets"][number]): LapsingKey {
  if (isInFile(wallet)) return KEYS[family](() => secretOf(wallet), wallet.signer);
  throw new Error(`${chain}: a signer of the kind ${wallet.signer} does not sign there`);
}

function isInFile(wallet: LapsingChainKeys["wallets"][number]): wallet is WalletInFile {
  return wallet.signer === "sandbox" || wallet.signer === "keystore";
}

async function secretOf(wallet: WalletInFile): Promise<Hex> {
  return wallet.signer === "sandbox"
    ? await readOrMakeKey(wallet.keyFile)
    : openKeystore(await readFile(wallet.file, "utf8"), wallet.password);
}
