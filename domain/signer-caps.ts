import type { SignedAmount } from "./journal.ts";

/** What the signer signs at most of a token. `token` null: the chain's native coin. null: any amount. */
export type SignerCap = { chain: string; token: string | null; currency: string; hourBase: bigint | null; dayBase: bigint | null };

const HOUR_MS = 3_600_000;
const WINDOWS = [
  { name: "hour", ms: HOUR_MS, of: ({ hourBase }: SignerCap) => hourBase },
  { name: "day", ms: 24 * HOUR_MS, of: ({ dayBase }: SignerCap) => dayBase },
] as const;

type Amount = { chain: string; token: string | null; amountBase: bigint };
/** What was signed since a moment, by chain and token: never less than that. */
type SignedSince = (since: Date) => readonly SignedAmount[];

/**
 * Why one more payment would be above a cap; null: it would not. What was signed is counted in whole hours, so that no hour and no day ever
 * holds more than its cap. `pending`: what is signed and not in the journal yet.
 */
export function capFault(
  caps: readonly SignerCap[],
  payment: Amount,
  signed: SignedSince,
  pending: readonly Amount[],
  now: Date,
): string | null {
  const isSame = (one: Pick<Amount, "chain" | "token">) =>
    one.chain === payment.chain && one.token?.toLowerCase() === payment.token?.toLowerCase();
  for (const cap of caps.filter(isSame)) {
    for (const { name, ms, of } of WINDOWS) {
      const most = of(cap);
      if (most === null) continue;
      const all = [...signed(new Date(now.getTime() - ms)), ...pending].filter(isSame);
      const sum = all.reduce((total, { amountBase }) => total + amountBase, payment.amountBase);
      if (sum > most) return `The signer signs no more ${cap.currency} in this ${name}: the payment waits until its own cap allows it.`;
    }
  }
  return null;
}
