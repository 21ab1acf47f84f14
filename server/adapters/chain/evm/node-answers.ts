import { z } from "zod";
import type { EvmBlock, EvmReceipt, EvmTokenMove } from "#domain/evm-chain.ts";
import { tokenMoveIn } from "#domain/evm-intent.ts";

/** The parts of a node's answers that the service reads. A node is foreign: anything of another shape is not an answer. */
export const Hexadecimal = z.string().regex(/^0x[0-9a-fA-F]*$/);
const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((value) => value.toLowerCase());
export const quantity = Hexadecimal.refine((value) => value.length > 2).transform((value) => BigInt(value));
export const count = quantity.refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER)).transform(Number);

/** Of a block whose node does not say: less than every chain that we know. */
const LEAST_ROOM = 30_000_000n;

export const Block = z
  .object({
    number: count,
    hash,
    parentHash: hash,
    timestamp: count,
    baseFeePerGas: quantity.optional(),
    gasLimit: quantity.optional(),
    transactions: z.array(hash),
  })
  .transform(
    (block): EvmBlock => ({
      height: block.number,
      hash: block.hash,
      parentHash: block.parentHash,
      at: new Date(block.timestamp * 1_000),
      baseFeePerGas: block.baseFeePerGas ?? 0n,
      gasLimit: block.gasLimit ?? LEAST_ROOM,
      transactionHashes: block.transactions,
    }),
  );

/** With its transactions in full, of which only sender, nonce and content are read. */
export const FullBlock = z.object({
  hash,
  transactions: z.array(
    z
      .object({ hash, from: z.string(), nonce: count, to: z.string().nullish(), value: quantity, input: Hexadecimal })
      .transform(({ hash: own, from, nonce, to, value, input }) => {
        return { hash: own, sender: from.toLowerCase(), nonce, to: to ?? null, valueBase: value, data: input };
      }),
  ),
});

/** An event of a token that moved it; null for an event of another shape. */
export const TokenMove = z
  .object({
    transactionHash: hash,
    blockHash: hash,
    blockNumber: count,
    address: z.string(),
    topics: z.array(z.string()),
    data: z.string(),
    logIndex: count.nullish(),
  })
  .transform(({ transactionHash, blockHash, blockNumber, logIndex, ...log }): EvmTokenMove | null => {
    const move = tokenMoveIn(log);
    if (move === null) return null;
    const { from: sender, to: recipient, amountBase } = move;
    const place = { hash: transactionHash, blockHash, blockHeight: blockNumber, index: logIndex ?? undefined };
    return { ...place, token: log.address.toLowerCase(), sender, recipient, amountBase };
  });

type OperatorFee = Partial<Record<"operatorFeeScalar" | "operatorFeeConstant" | "daFootprintGasScalar", bigint | null | undefined>>;

/** By the formula of Isthmus, or (where the receipt is of Jovian) with the scalar in hundreds of wei instead of millionths. */
function operatorFee({ gasUsed, operatorFeeScalar, operatorFeeConstant, daFootprintGasScalar }: OperatorFee & { gasUsed: bigint }): bigint {
  const scaled = gasUsed * (operatorFeeScalar ?? 0n);
  return (daFootprintGasScalar == null ? scaled / 1_000_000n : scaled * 100n) + (operatorFeeConstant ?? 0n);
}

export const Receipt = z
  .object({
    transactionHash: hash,
    blockHash: hash,
    blockNumber: count,
    status: quantity,
    gasUsed: quantity,
    effectiveGasPrice: quantity,
    from: Hexadecimal,
    /** For rollups like Optimism: the fee for the transaction's data on the layer below, in addition to gas. */
    l1Fee: quantity.nullish(),
    /** What the operator of an OP Stack chain takes besides, since Isthmus. Since Jovian, a receipt has the scalar of its data's footprint too. */
    operatorFeeScalar: quantity.nullish(),
    operatorFeeConstant: quantity.nullish(),
    daFootprintGasScalar: quantity.nullish(),
    contractAddress: z.string().nullish(),
    logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string(), logIndex: count.nullish() })),
  })
  .transform(
    (receipt): EvmReceipt => ({
      hash: receipt.transactionHash,
      blockHash: receipt.blockHash,
      blockHeight: receipt.blockNumber,
      succeeded: receipt.status === 1n,
      gasUsed: receipt.gasUsed,
      sender: receipt.from,
      feeBase: receipt.gasUsed * receipt.effectiveGasPrice + (receipt.l1Fee ?? 0n) + operatorFee(receipt),
      logs: receipt.logs.map(({ logIndex, ...log }) => ({ ...log, index: logIndex ?? undefined })),
      contractAddress: receipt.contractAddress ?? null,
    }),
  );
