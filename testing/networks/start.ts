import type { Family } from "#sandbox/settings.ts";
import type { FamilyNetwork } from "./network.ts";

/** Loaded by those that start one: the libraries of a family take longer to load than all else in a test's process. */
const STARTS: Readonly<Record<Family, () => Promise<FamilyNetwork>>> = {
  solana: async () => (await import("./solana-network.ts")).startSolanaNetwork(),
  tron: async () => (await import("./tron-network.ts")).startTronNetwork(),
  tempo: async () => (await import("./tempo-network.ts")).startTempoNetwork(),
};

/** Starts a network of that family, whose blocks come by the clock. */
export function startNetwork(family: Family): Promise<FamilyNetwork> {
  return STARTS[family]();
}
