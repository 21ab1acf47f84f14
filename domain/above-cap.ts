import { journalOwner } from "./journal.ts";
import { exactText } from "./money.ts";
import type { Decision, DecisionRecord } from "./signed-decision.ts";
import { type CapPeriod, coversPeriod } from "./signer-caps.ts";
import type { Transfer } from "./transfer.ts";

/** So many different admins sign a payment above a cap of the signer. */
export const ABOVE_CAP_SIGNERS = 2;
/** So long their signatures count, from when each was asked. */
const VALID_HOURS = 24;
const HOUR_MS = 3_600_000;
/** The web process may be as much ahead of the signer's clock. */
const MOST_AHEAD_MS = 300_000;

/** A nonce of a treasury wallet, in a signed record. */
export const placeText = ({ wallet, nonce }: { wallet: string; nonce: number }) => `nonce ${nonce} of ${wallet.toLowerCase()}`;

/**
 * What an admin signs to let a payment go above a cap: exactly this payment, for a day. `replaces`: of a payment that is made again, the nonce
 * under which it came to nothing ({@link placeText}); null: it is made for the first time.
 */
export function aboveCapDecision(transfer: Transfer, period: CapPeriod, replaces: string | null = null): Decision {
  const { id, chain, currency, tokenAddress, recipient, partnerId } = transfer;
  const facts = {
    payment: id,
    owner: journalOwner(transfer),
    partner: partnerId,
    amount: exactText(transfer.amountBase, transfer.tokenDecimals),
    token: currency,
    token_address: tokenAddress,
    recipient,
    chain,
    cap_period: period,
    valid_hours: VALID_HOURS,
    ...(replaces === null ? {} : { replaces }),
  };
  return { action: "payment.above_cap", subject: id, facts };
}

/** A payment above a cap of the signer, as {@link aboveCapDecision} has it. */
export type AboveCap = { transfer: Transfer; period: CapPeriod; replaces: string | null };

/** Why a signed record does not let the payment go above the cap of that period; null: it does. It does so once, for one nonce. */
export function aboveCapFault(
  { action, subject, facts, asked_at }: DecisionRecord,
  { transfer, period, replaces }: AboveCap,
  now: Date,
): string | null {
  const { facts: wanted } = aboveCapDecision(transfer, period);
  const differs = (name: string) => facts[name] !== wanted[name];
  const { amount: _amount, cap_period: _period, ...rest } = wanted;
  if (action !== "payment.above_cap" || subject !== transfer.id || Object.keys(rest).some(differs)) return "it is over another payment";
  if (differs("amount")) return "it is over another amount";
  if ((facts.replaces ?? null) !== replaces)
    return facts.replaces === undefined ? "an earlier transaction of the payment used it up" : "it replaces another transaction";
  if (!coversPeriod(facts.cap_period as CapPeriod, period)) return `it is for the cap of the ${facts.cap_period} only`;
  const age = now.getTime() - Date.parse(asked_at);
  return age > -MOST_AHEAD_MS && age < VALID_HOURS * HOUR_MS ? null : `it is older than ${VALID_HOURS} hours`;
}
