import type { Family } from "#sandbox/settings.ts";
import type { FamilyNetwork } from "./network.ts";
import { startSolanaNetwork } from "./solana-network.ts";
import { startTempoNetwork } from "./tempo-network.ts";
import { startTronNetwork } from "./tron-network.ts";

const STARTS: Readonly<Record<Family, () => Promise<FamilyNetwork>>> = {
  solana: startSolanaNetwork,
  tron: startTronNetwork,
  tempo: startTempoNetwork,
};

/** Starts a network of that family, whose blocks come by the clock. */
export function startNetwork(family: Family): Promise<FamilyNetwork> {
  return STARTS[family]();
}
