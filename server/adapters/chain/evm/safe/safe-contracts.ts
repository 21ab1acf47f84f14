import type { SafeContracts } from "#server/ports.ts";
import { creationCodeOf, homesOf, recognise } from "./canonical.ts";

/** Loaded by the first call of a Safe, since viem is large: a process that makes none does without. */
const calls = () => import("./encode-calls.ts");

/** The Safe contracts' language. */
export const safeContracts: SafeContracts = {
  recognise,
  homes: homesOf,
  async deploy(contract, version, deployer) {
    const creation = await creationCodeOf(contract, version);
    if (deployer === null) return { to: null, valueBase: 0n, data: creation };
    // The salt, which is zero, and the code.
    return { to: deployer, valueBase: 0n, data: `0x${"0".repeat(64)}${creation.slice(2)}` };
  },
  createSafe: async (plan) => (await calls()).encodeCreation(plan),
  execute: async (order) => (await calls()).encodeOrder(order),
  swapOwner: async (order) => (await calls()).encodeSwap(order),
  executeSigned: async (transaction, signature) => (await calls()).encodeSigned(transaction, signature),
};
