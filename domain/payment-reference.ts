import { createHash } from "node:crypto";

/** What the memo of a payment on such a chain says: the partner's reference and our id, or our id alone. */
export const MEMO_CONTENTS = ["reference", "id"] as const;
export type MemoContent = (typeof MEMO_CONTENTS)[number];

/** `own`: our id. `partners`: `external_tx_id` as the partner gave it; null: it has none. */
export type PaymentNames = { own: string; partners: string | null };

/** What fits into a memo of 32 bytes in place of a longer reference: the beginning of its SHA-256, in hexadecimal digits. */
const DIGITS = 32;

/**
 * What a payment's memo says, so that its recipient finds what it is for. Where there is room: the partner's reference, a space, and our id.
 * Where there is less: the reference alone, or the first 32 digits of its SHA-256. What has no partner's reference has our id.
 */
export function referenceOf({ memo, memoBytes }: { memo: MemoContent; memoBytes: number }, { own, partners }: PaymentNames): string {
  if (memo === "id" || partners === null) return own;
  const both = `${partners} ${own}`;
  if (Buffer.byteLength(both) <= memoBytes) return both;
  if (Buffer.byteLength(partners) <= memoBytes) return partners;
  return createHash("sha256").update(partners).digest("hex").slice(0, DIGITS);
}
