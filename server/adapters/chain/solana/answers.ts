import { z } from "zod";

/** The parts of a node's answers that the service reads. Anything of another shape is not an answer. */
export const count = z.int().min(0);
export const lamports = count.transform(BigInt);
export const Key = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const baseUnits = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);
const bytes = z.tuple([z.base64(), z.literal("base64")]).transform(([text]) => Uint8Array.from(Buffer.from(text, "base64")));

/** Why a transaction failed; null: it did not. */
const fault = z.union([z.string(), z.record(z.string(), z.unknown())]).nullable();

/** A value with the slot as of which it is. */
export const inContext = <T>(value: z.ZodType<T>) => z.object({ context: z.object({ slot: count }), value });

export const Block = z
  .object({ blockHeight: count, blockhash: Key, blockTime: z.int() })
  .transform(({ blockHeight, blockhash, blockTime }) => ({ height: blockHeight, hash: blockhash, at: new Date(blockTime * 1_000) }));
export type Block = z.infer<typeof Block>;

export const LatestBlockhash = inContext(z.object({ blockhash: Key, lastValidBlockHeight: count }));

export const Account = z.object({ lamports, data: bytes, owner: Key, executable: z.boolean() }).nullable();
export type Account = NonNullable<z.infer<typeof Account>>;
export const Accounts = inContext(z.array(Account));

export const RecentFees = z.array(z.object({ prioritizationFee: count.transform(BigInt) }));

export const Simulation = inContext(z.object({ err: fault, unitsConsumed: count.nullish(), logs: z.array(z.string()).nullish() }));

export const Statuses = inContext(
  z.array(z.object({ slot: count, confirmationStatus: z.enum(["processed", "confirmed", "finalized"]) }).nullable()),
);

/** Of an address's transactions, the newest first. */
export const Signatures = z.array(
  z.object({ signature: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/), err: fault, blockTime: z.int().nullish() }),
);

const TokenBalance = z.object({ accountIndex: count, mint: Key, owner: Key, uiTokenAmount: z.object({ amount: baseUnits }) });

/** A transaction in a block, as base 64, with what the runtime did. */
export const Landed = z.object({
  slot: count,
  transaction: bytes,
  meta: z.object({
    err: fault,
    fee: lamports,
    preBalances: z.array(lamports),
    postBalances: z.array(lamports),
    preTokenBalances: z.array(TokenBalance),
    postTokenBalances: z.array(TokenBalance),
  }),
});
export type Landed = z.infer<typeof Landed>;
