import {
  assetName,
  type LedgerEntry,
  type Posting,
  settlementExecuted,
  topupPostings,
  UnbalancedEntry,
  withdrawalPostings,
} from "./ledger.ts";
import type { Settlement } from "./settlement.ts";
import type { Topup, TopupStep } from "./topup.ts";
import type { Withdrawal, WithdrawalStep } from "./withdrawal.ts";

/** All entries that the ledger must have for a settlement in its present state. */
export function settlementHistory(settlement: Settlement): LedgerEntry[] {
  return settlement.status === "executed" ? [settlementExecuted(settlement)] : [];
}

/** The steps that a top-up has taken. */
const TOPUP_WAYS: Record<TopupStep, readonly TopupStep[]> = {
  collecting: [],
  uncollected: [],
  sending: ["sending"],
  sent: ["sending", "sent"],
  unsent: ["sending", "unsent"],
};

/** All entries that the ledger must have for a top-up in its present state. */
export function topupHistory(topup: Topup): LedgerEntry[] {
  return TOPUP_WAYS[topup.step].flatMap((step) => topupPostings({ ...topup, step }) ?? []);
}

/** The steps that a withdrawal has taken. */
const WITHDRAWAL_WAYS: Record<WithdrawalStep, readonly WithdrawalStep[]> = {
  reserved: ["reserved"],
  sweeping: ["reserved"],
  released: ["reserved", "released"],
  paying_out: ["reserved", "paying_out"],
  paid: ["reserved", "paying_out", "paid"],
  returning: ["reserved", "paying_out", "returning"],
  returned: ["reserved", "paying_out", "returning", "returned"],
  unreturned: ["reserved", "paying_out", "returning", "unreturned"],
};

/** All entries that the ledger must have for a withdrawal in its present state. */
export function withdrawalHistory(withdrawal: Withdrawal): LedgerEntry[] {
  return WITHDRAWAL_WAYS[withdrawal.step].flatMap((step) => withdrawalPostings({ ...withdrawal, step }) ?? []);
}

/**
 * How the booked entries differ from those that `history` requires, in words for the person who repairs it; empty when they agree. A record whose
 * own amounts do not add up cannot have a right entry.
 */
export function historyFaults(history: () => LedgerEntry[], booked: readonly LedgerEntry[]): string[] {
  let due: LedgerEntry[];
  try {
    due = history();
  } catch (error) {
    if (error instanceof UnbalancedEntry || error instanceof RangeError) return [error.message];
    throw error;
  }
  const missing = due.filter(({ step }) => !booked.some((entry) => entry.step === step)).map(({ step }) => `${step} is not booked`);
  const wrong = booked.flatMap((entry) => {
    const wanted = due.find(({ step }) => step === entry.step);
    if (wanted === undefined) return [`${entry.step} is booked and did not happen`];
    return inOneText(wanted) === inOneText(entry)
      ? []
      : [`${entry.step} is booked as ${inOneText(entry)} in place of ${inOneText(wanted)}`];
  });
  return [...missing, ...wrong];
}

function inOneText({ phase, resolves, partnerId, postings }: LedgerEntry): string {
  const line = ({ account, partnerId: owner, asset, amount }: Posting) =>
    `${account}${owner === null ? "" : ` of ${owner}`} ${amount} ${assetName(asset)} (${asset.decimals})`;
  return [phase, resolves ?? "-", partnerId ?? "-", ...postings.map(line).sort()].join("; ");
}
