import { z } from "zod";
import { caip2, exactNumber, plainText } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { SAFE_VERSIONS, type SafeInfo } from "#domain/safe.ts";
import type { EthTx } from "#domain/safe-deployment.ts";

/** A Safe as the chain has it. */
export const safeInfoSchema = z.object({
  address: z.string().describe("The address of the Safe"),
  fallback_handler: z.string().describe("The contract that answers calls that the Safe itself does not know. The zero address means none"),
  guard: z.string().describe("The contract that may stop a transaction of the Safe. The zero address means none"),
  master_copy: z.string().describe("The contract whose code the Safe runs"),
  modules: z.array(z.string()).describe("The contracts that may act for the Safe without its owners"),
  nonce: z.int().describe("The number of transactions that the Safe has executed"),
  owners: z.array(z.string()).describe("The addresses that may sign for the Safe"),
  threshold: z.int().describe("How many owners must sign a transaction"),
  version: z.string().describe("The version of the Safe contracts"),
});

/** A transaction that is in a block or on its way there, and the address of the contract that it creates. */
export const ethTxSchema = z.object({
  tx_hash: z
    .string()
    .describe("The hash of the transaction. While it is not in a block, a higher fee may replace it by another hash; nothing else changes"),
  contract_address: z
    .string()
    .describe("The address of the contract that the transaction creates. It is known as soon as the transaction is signed"),
  tx: z
    .object({
      from: z.string().describe("The operator's wallet that sends the transaction"),
      to: z.string().nullable().describe("The contract that is called. Null if the transaction itself creates the contract"),
      data: z.string().describe("The data of the call, in hex"),
      value: z.number().describe("The amount of the chain's coin that is sent with it, in the coin's smallest unit"),
      gas: z.int().describe("The gas limit of the transaction"),
      nonce: z.int().describe("The nonce of the sending wallet"),
      chainId: z.int().describe("The number in the chain's CAIP-2 id, such as 1 for eip155:1"),
    })
    .describe("The transaction that creates the contract"),
});

const version = z.enum(SAFE_VERSIONS).optional().describe("The version of the Safe contracts. The default is 1.4.1");

export const safeCreateSchema = z
  .strictObject({
    chain: caip2,
    owners: z
      .array(plainText(1, 128))
      .min(1)
      .max(50)
      .refine((owners) => new Set(owners.map((owner) => owner.toLowerCase())).size === owners.length, {
        error: "must name each owner once",
      })
      .describe("The addresses that may sign for the Safe"),
    threshold: z.int().min(1).describe("How many of the owners must sign a transaction"),
    version,
  })
  .refine((safe) => safe.threshold <= safe.owners.length, { path: ["threshold"], error: "must not exceed the number of owners" });

export const masterContractCreateSchema = z.strictObject({ chain: caip2 });
export const fallbackHandlerCreateSchema = z.strictObject({ chain: caip2, version });

export function renderSafeInfo(safe: SafeInfo): z.infer<typeof safeInfoSchema> {
  return toWire(safe, "address", "fallbackHandler", "guard", "masterCopy", "modules", "nonce", "owners", "threshold", "version");
}

export function renderEthTx(tx: EthTx): z.infer<typeof ethTxSchema> {
  return {
    ...toWire(tx, "txHash", "contractAddress"),
    tx: {
      ...toWire(tx, "from", "to", "data"),
      value: exactNumber({ coefficient: tx.valueBase, scale: 0 }),
      gas: Number(tx.gas),
      nonce: tx.nonce,
      chainId: tx.chainId,
    },
  };
}
