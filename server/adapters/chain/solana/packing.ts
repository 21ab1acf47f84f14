import type { LapsingPacking } from "#domain/lapsing-chain.ts";

/** What a transaction may be at most, signature included, so that it fits into one packet. */
export const MOST_BYTES = 1_232;
/** What a transaction of tokens takes besides its payments: signature, heads, eight accounts, blockhash, limit and price. */
const HEAD_BYTES = 380;
/** What each payment takes besides its reference: its two accounts, three instructions, and the reference's length. */
const MEMBER_BYTES = 96;

/** How many payments fit into a packet: six, where their references have 29 to 46 bytes. */
export const SOLANA_PACKING: LapsingPacking = {
  most: 8,
  room: MOST_BYTES - HEAD_BYTES,
  sizeOf: ({ reference }) => MEMBER_BYTES + Buffer.byteLength(reference),
};
