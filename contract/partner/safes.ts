import { z } from "zod";
import { caip2, exactNumber, plainText } from "#contract/primitives.ts";
import { SAFE_VERSIONS, type SafeInfo } from "#domain/safe.ts";
import type { EthTx } from "#domain/safe-deployment.ts";

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

/** A transaction that is in a block or on its way there, and the address of the contract that it creates. */
export const ethTxSchema = z.object({
  tx_hash: z.string().describe("Of the attempt in the block; before that, of the latest. A raised fee changes it, and nothing else"),
  contract_address: z.string().describe("Holds from the signature on"),
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

export function renderSafeInfo(safe: SafeInfo): z.infer<typeof safeInfoSchema> {
  return {
    address: safe.address,
    fallback_handler: safe.fallbackHandler,
    guard: safe.guard,
    master_copy: safe.masterCopy,
    modules: [...safe.modules],
    nonce: safe.nonce,
    owners: [...safe.owners],
    threshold: safe.threshold,
    version: safe.version,
  };
}

export function renderEthTx(tx: EthTx): z.infer<typeof ethTxSchema> {
  return {
    tx_hash: tx.txHash,
    contract_address: tx.contractAddress,
    tx: {
      from: tx.from,
      to: tx.to,
      data: tx.data,
      value: exactNumber({ coefficient: tx.valueBase, scale: 0 }),
      gas: Number(tx.gas),
      nonce: tx.nonce,
      chainId: tx.chainId,
    },
  };
}
