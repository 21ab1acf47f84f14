import { defineChain } from "viem";
import { CHAIN_ID } from "./anvil.ts";

/**
 * The chain of a development node, as viem's clients want it. `viem/chains` has it too, among seven hundred others, all of which each process
 * that starts would load.
 */
export const developmentChain = defineChain({
  id: CHAIN_ID,
  name: "Development node",
  nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
  rpcUrls: { default: { http: [] } },
});
