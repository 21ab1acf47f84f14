import { addressKey } from "./address-key.ts";
import type { SignedAmount } from "./signed-amounts.ts";

/** What the signer signs at most of a token. `token` null: the chain's native coin. null: any amount. */
export type SignerCap = { chain: string; token: string | null; currency: string; hourBase: bigint | null; dayBase: bigint | null };

export const CAP_PERIODS = ["day", "hour"] as const;
export type CapPeriod = (typeof CAP_PERIODS)[number];
/** A cap that one more payment would exceed. */
export type ReachedCap = { currency: string; period: CapPeriod };

const HOUR_MS = 3_600_000;
/** The longer one first: who lets a payment go above the cap of a day lets it go above the cap of an hour, too. */
const WINDOWS = [
  { period: "day", ms: 24 * HOUR_MS, of: ({ dayBase }: SignerCap) => dayBase },
  { period: "hour", ms: HOUR_MS, of: ({ hourBase }: SignerCap) => hourBase },
] as const;

type Amount = { chain: string; token: string | null; amountBase: bigint };
/** What was signed since a moment, by chain and token: never less than that. */
type SignedSince = (since: Date) => readonly SignedAmount[];

/**
 * The cap that one more payment would exceed; null: none. What was signed is counted in whole hours, so that no hour and no day ever
 * holds more than its cap. `pending`: what is signed and not in the journal yet.
 */
export function reachedCap(
  caps: readonly SignerCap[],
  payment: Amount,
  signed: SignedSince,
  pending: readonly Amount[],
  now: Date,
): ReachedCap | null {
  const isSame = (one: Pick<Amount, "chain" | "token">) =>
    one.chain === payment.chain && (one.token && addressKey(one.token)) === (payment.token && addressKey(payment.token));
  for (const { period, ms, of } of WINDOWS) {
    for (const cap of caps.filter(isSame)) {
      const most = of(cap);
      if (most === null) continue;
      const all = [...signed(new Date(now.getTime() - ms)), ...pending].filter(isSame);
      const sum = all.reduce((total, { amountBase }) => total + amountBase, payment.amountBase);
      if (sum > most) return { currency: cap.currency, period };
    }
  }
  return null;
}

/** Whether signatures for one period let a payment go above the cap of another. */
export function coversPeriod(signed: CapPeriod | null | undefined, reached: CapPeriod): boolean {
  return signed === reached || signed === "day";
}

/** Why a payment above a cap waits. */
export function capSentence({ currency, period }: ReachedCap): string {
  return `The signer signs no more ${currency} in this ${period}: the payment waits until its own cap allows it, or two admins sign it.`;
}

/** The cap for which payments wait, by what the signer has said of it; null: they wait for none. */
export function waitsForCap(waitingReason: string | null): CapPeriod | null {
  const [, currency = "", period] = /^The signer signs no more (\S+) in this (\w+):/.exec(waitingReason ?? "") ?? [];
  const cap = CAP_PERIODS.find((each) => each === period);
  return cap !== undefined && waitingReason?.startsWith(capSentence({ currency, period: cap })) ? cap : null;
}
