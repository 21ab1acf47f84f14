import type { LedgerStep } from "#domain/ledger.ts";

/** Texts about the lines of a ledger's account. */
export const ACCOUNT = {
  title: (account: string, currency: string) => `${account}, ${currency}`,
  newest: (shown: number) => (shown < 25 ? "All entries that make up the balance, newest first." : "The newest 25 entries."),
  caption: "Entries of the account, newest first",
  none: "No entry",
  steps: {
    executed: "Settlement executed",
    collected: "Top-up collected",
    sent: "Top-up delivered",
    unsent: "Top-up not delivered",
    reserved: "Withdrawal promised",
    taken: "Withdrawal's crypto taken",
    paid: "Withdrawal paid",
    released: "Promise ended",
    unpaid: "Withdrawal not paid out",
    returned: "Crypto returned",
    unreturned: "Crypto not returned",
    funded: "Funded",
    opened: "Opened",
    network_fees: "Network fee",
    lost: "Loss booked",
    recovered: "Loss recovered",
    booked: "Booked by people",
    reversed: "Booking reversed",
    suspended: "Put into suspense",
    corrected: "Corrected",
  } satisfies Record<LedgerStep, string>,
};
