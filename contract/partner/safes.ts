import { z } from "zod";
import { caip2, exactNumber, plainText } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { SAFE_VERSIONS, type SafeInfo } from "#domain/safe.ts";
import type { EthTx } from "#domain/safe-deployment.ts";

/** A Safe as the chain has it. */
export const safeInfoSchema = z.object({
  address: z.string().describe("The Safe's own address"),
  fallback_handler: z.string().describe("Contract that answers calls the Safe itself does not know; the zero address: none"),
  guard: z.string().describe("Contract that may stop each of its transactions; the zero address: none"),
  master_copy: z.string().describe("Contract whose code the Safe runs"),
  modules: z.array(z.string()).describe("Contracts that may act for the Safe without its owners"),
  nonce: z.int().describe("How many transactions it has carried out"),
  owners: z.array(z.string()).describe("Addresses that may sign for it"),
  threshold: z.int().describe("How many owners have to sign a transaction"),
  version: z.string().describe("Release of the Safe contracts"),
});

/** A transaction that is in a block or on its way there, and the address of the contract that it creates. */
export const ethTxSchema = z.object({
  tx_hash: z.string().describe("Hash of the attempt in the block; before that, of the latest. A raised fee changes it, and nothing else"),
  contract_address: z.string().describe("Address of the contract that it creates; holds from the signature on"),
  tx: z
    .object({
      from: z.string().describe("The operator's wallet that sends it"),
      to: z.string().nullable().describe("The contract that is called; null where the transaction itself is the creation"),
      data: z.string().describe("What it is called with, hex"),
      value: z.number().describe("What is sent along, in the smallest unit of the chain's coin"),
      gas: z.int().describe("The most gas that it may use"),
      nonce: z.int().describe("The sender's nonce"),
      chainId: z.int().describe("The number in the chain's CAIP-2 id: 1 of eip155:1"),
    })
    .describe("The transaction that creates the contract"),
});

const version = z.enum(SAFE_VERSIONS).optional().describe("Release of the Safe contracts; 1.4.1 when left out");

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
      .describe("Addresses that may sign for the Safe"),
    threshold: z.int().min(1).describe("How many of the owners have to sign a transaction"),
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
