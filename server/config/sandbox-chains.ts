import { z } from "zod";

/** What a sandbox can start besides EVM's chain, which it always has. */
export const SANDBOX_FAMILIES = ["solana", "tron", "tempo"] as const;

const NAMES: readonly string[] = ["evm", ...SANDBOX_FAMILIES];
const namesIn = (text: string) => text.split(",").map((name) => name.trim());

/** `SANDBOX_CHAINS`: the families of its other networks. */
export const sandboxChains = z
  .string()
  .refine((text) => namesIn(text).every((name) => NAMES.includes(name)), `must be ${NAMES.join(", ")}, separated by commas`)
  .transform((text) => SANDBOX_FAMILIES.filter((family) => namesIn(text).includes(family)));
