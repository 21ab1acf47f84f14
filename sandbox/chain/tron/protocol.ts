import { createHash } from "node:crypto";
import { z } from "zod";

/** The numbers of Tron's rules, as the main network has them (Tron's documentation and java-tron). All amounts are in sun. */
export const RULES = {
  blockTimeMs: 3_000,
  /** 19 of the 27 producers have built on a block before it is solidified, so that many blocks are at most unsolidified. */
  unsolidified: 18,
  /** A reference block is looked up by two bytes of its height. */
  recentBlocks: 65_536,
  longestExpirationMs: 86_400_000,
  energyFeeSun: 100n,
  bandwidthFeeSun: 1_000n,
  memoFeeSun: 1_000_000n,
  largestFeeLimitSun: 15_000_000_000n,
  freeBandwidth: 600n,
  /** What a transaction's result may take in a block; its bandwidth includes it. */
  resultBytes: 64,
} as const;

/** Tron's answers to a broadcast. */
export type BroadcastCode =
  | "SUCCESS"
  | "SIGERROR"
  | "CONTRACT_VALIDATE_ERROR"
  | "BANDWITH_ERROR"
  | "DUP_TRANSACTION_ERROR"
  | "TAPOS_ERROR"
  | "TRANSACTION_EXPIRATION_ERROR"
  | "SERVER_BUSY"
  | "OTHER_ERROR";

/** A call of a contract as tronweb reads it from the bytes. Addresses as contracts have them: `0x` and lower case. */
export type SentTransaction = {
  id: string;
  raw: string;
  signature: string;
  /** What it weighs in a block. */
  bytes: number;
  owner: `0x${string}`;
  contract: `0x${string}`;
  data: `0x${string}`;
  refBlockBytes: string;
  refBlockHash: string;
  expiration: number;
  feeLimitSun: bigint;
  memo: string;
  /** Who signed. */
  signer: string;
};

type Message = { serializeBinary(): Uint8Array };
type Protocol = {
  Transaction: { deserializeBinary(bytes: Uint8Array): { getRawData(): Message; getSignatureList_asU8(): Uint8Array[] } };
};

const address = z.string().transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`);
const Raw = z.object({
  contract: z
    .tuple([
      z.object({ parameter: z.object({ value: z.object({ owner_address: address, contract_address: address, data: z.string() }) }) }),
    ])
    .readonly(),
  ref_block_bytes: z.string().toLowerCase(),
  ref_block_hash: z.string().toLowerCase(),
  expiration: z.number(),
  fee_limit: z.number(),
  data: z.string(),
});

/**
 * Reads the bytes of a broadcast with tronweb's own definitions of Tron's protocol. That library is large, and loaded by the first one.
 *
 * @throws Error for anything but a call of a contract
 */
export async function readTransaction(hex: string): Promise<SentTransaction> {
  const { utils } = await import("tronweb");
  const { TronWebProto } = globalThis as unknown as { TronWebProto: Protocol };
  const transaction = TronWebProto.Transaction.deserializeBinary(Buffer.from(hex, "hex"));
  const raw = Buffer.from(transaction.getRawData().serializeBinary()).toString("hex");
  const signature = Buffer.from(transaction.getSignatureList_asU8()[0] ?? []).toString("hex");
  const read = Raw.parse(utils.deserializeTx.deserializeTransaction("TriggerSmartContract", raw));
  const { owner_address, contract_address, data } = read.contract[0].parameter.value;
  const id = createHash("sha256").update(Buffer.from(raw, "hex")).digest("hex");
  return {
    id,
    raw,
    signature,
    bytes: hex.length / 2 + RULES.resultBytes,
    owner: owner_address,
    contract: contract_address,
    data: `0x${data.toLowerCase()}`,
    refBlockBytes: read.ref_block_bytes,
    refBlockHash: read.ref_block_hash,
    expiration: read.expiration,
    feeLimitSun: BigInt(read.fee_limit),
    memo: read.data.toLowerCase(),
    signer: signerOf(utils.crypto.ecRecover, id, signature),
  };
}

function signerOf(recover: (hash: string, signature: string) => string, id: string, signature: string): string {
  try {
    return `0x${recover(id, signature).slice(2).toLowerCase()}`;
  } catch {
    return "nobody";
  }
}
