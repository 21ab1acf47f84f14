import type { Mutant } from "./seam.ts";

/** The rules of several wallets that can be taken out. */
export const WALLET_MUTANTS: readonly Omit<Mutant, "family">[] = [
  {
    name: "wallets-mark",
    from: 331,
    seed: "early-163",
    defect: "A database that was put back is compared with the journal for the first wallet only",
    patches: [
      {
        file: "server/engines/payments/claiming/compare-journal.ts",
        is: ".filter(({ signed_nonce: mark, next_nonce: own }) => own === null || own <= mark)",
        was: ".slice(0, 1).filter(({ signed_nonce: mark, next_nonce: own }) => own === null || own <= mark)",
      },
    ],
  },
  {
    name: "wallets-owner",
    from: 176,
    seed: "early-130",
    defect: "After a restore another wallet pays an owner again, because the journal asks only about the same wallet",
    patches: [
      {
        file: "domain/journal.ts",
        is: "const isFree = paid === undefined || paid === held || paid.isSpent || paid.unpaid.has(owner);",
        was: "const isFree = paid === undefined || paid === held || paid.isSpent || paid.unpaid.has(owner) || paid.place.wallet !== entry.wallet.toLowerCase();",
      },
    ],
  },
];

/** The rules of top-ups and withdrawals that can be taken out. */
export const ORDER_MUTANTS: readonly Omit<Mutant, "family">[] = [
  {
    name: "taken-before-paid",
    seed: "early-1",
    defect: "Fiat is paid out before the crypto was taken for good",
    patches: [
      {
        file: "domain/withdrawal.ts",
        is: `sweep: { from: "reserved", to: "sweeping", callback: null },`,
        was: `sweep: { from: "reserved", to: "paying_out", callback: null },`,
      },
    ],
  },
  {
    name: "refusal-asked",
    seed: "early-1378",
    from: 1_446,
    defect: "A provider's refusal counts although it has the order: it is paid out, and the crypto comes back, too",
    patches: [{ file: "server/engines/fiat-orders/talk-to-provider.ts", is: "if (known !== null) return known;", was: "" }],
  },
  {
    name: "refusal-doubted",
    from: 264,
    seed: "early-107",
    defect: "A refusal counts although an earlier try without an answer may have arrived",
    patches: [
      {
        file: "server/engines/fiat-orders/talk-to-provider.ts",
        is: `return first ? { status: "failed", reference: null, reason: error.message, instructions: null } : { status: "doubtful" };`,
        was: `return { status: "failed", reference: null, reason: error.message, instructions: null };`,
      },
    ],
  },
  {
    name: "return-unswept",
    seed: "early-123",
    defect: "The signer returns crypto that the chain does not show as taken, because a row says that it was",
    patches: [{ file: "server/signer/destinations.ts", is: "return await returnFault(place, transfer);", was: "return null;" }],
  },
  {
    name: "topup-uncollected",
    seed: "early-181",
    defect: "The signer pays a top-up of which the provider has said nothing, because a row says so",
    patches: [
      {
        file: "domain/owed-payment.ts",
        is: `...(isCollected ? [] : ["The provider has not said that the fiat came in"]),`,
        was: "",
      },
    ],
  },
];
