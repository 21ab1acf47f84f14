import { z } from "zod";
import type { EvmBlock, EvmReceipt } from "#server/ports.ts";

/** The parts of a node's answers that the service reads. A node is foreign: what has another shape is no answer. */
export const Hexadecimal = z.string().regex(/^0x[0-9a-fA-F]*$/);
const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((value) => value.toLowerCase());
export const quantity = Hexadecimal.refine((value) => value.length > 2).transform((value) => BigInt(value));
export const count = quantity.refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);

export const Block = z
  .object({
    number: count,
    hash,
    parentHash: hash,
    timestamp: count,
    baseFeePerGas: quantity.optional(),
    transactions: z.array(hash),
  })
  .transform(
    (block): EvmBlock => ({
      height: block.number,
      hash: block.hash,
      parentHash: block.parentHash,
      at: new Date(block.timestamp * 1_000),
      baseFeePerGas: block.baseFeePerGas ?? 0n,
      transactionHashes: block.transactions,
    }),
  );

export const Receipt = z
  .object({
    transactionHash: hash,
    blockHash: hash,
    blockNumber: count,
    status: quantity,
    gasUsed: quantity,
    contractAddress: z.string().nullish(),
    logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
  })
  .transform(
    (receipt): EvmReceipt => ({
      hash: receipt.transactionHash,
      blockHash: receipt.blockHash,
      blockHeight: receipt.blockNumber,
      succeeded: receipt.status === 1n,
      gasUsed: receipt.gasUsed,
      logs: receipt.logs,
      contractAddress: receipt.contractAddress ?? null,
    }),
  );
