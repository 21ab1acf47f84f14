import { z } from "zod";
import { caip2, plainText } from "#server/contract/primitives.ts";

/** A Safe as the chain has it. */
export const safeInfoSchema = z.object({
  address: z.string(),
  fallback_handler: z.string(),
  guard: z.string(),
  master_copy: z.string(),
  modules: z.array(z.string()),
  nonce: z.int(),
  owners: z.array(z.string()),
  threshold: z.int(),
  version: z.string(),
});

/** A transaction that is on its way, and the address of the contract that it creates. */
export const ethTxSchema = z.object({
  tx_hash: z.string(),
  contract_address: z.string(),
  tx: z.object({
    from: z.string(),
    to: z.string().nullable().describe("Null where the transaction itself is the creation"),
    data: z.string(),
    value: z.number(),
    gas: z.int(),
    nonce: z.int(),
    chainId: z.int(),
  }),
});

export const SAFE_VERSIONS = ["1.3.0", "1.4.1"] as const;
const version = z.enum(SAFE_VERSIONS).optional().describe("1.4.1 when left out");

export const safeCreateSchema = z
  .strictObject({
    chain: caip2,
    owners: z
      .array(plainText(1, 128))
      .min(1)
      .max(50)
      .refine((owners) => new Set(owners.map((owner) => owner.toLowerCase())).size === owners.length, {
        error: "must name each owner once",
      }),
    threshold: z.int().min(1),
    version,
  })
  .refine((safe) => safe.threshold <= safe.owners.length, { path: ["threshold"], error: "must not exceed the number of owners" });

export const masterContractCreateSchema = z.strictObject({ chain: caip2 });
export const fallbackHandlerCreateSchema = z.strictObject({ chain: caip2, version });
