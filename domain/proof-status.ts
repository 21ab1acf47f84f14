import { quoteHasLapsed } from "./lifecycle.ts";
import type { Settlement } from "./settlement.ts";

/**
 * A proof's status. Of a quote: `in_force`, `fulfilled`, or what ended or prevented its promise. Of a receipt: `paid`, or `reversed` while
 * the chain shows something else than was signed.
 */
export const PROOF_STATUSES = [
  "in_force",
  "fulfilled",
  "awaiting_approval",
  "superseded",
  "expired",
  "rejected",
  "cancelled",
  "failed",
  "paid",
  "reversed",
] as const;
export type ProofStatus = (typeof PROOF_STATUSES)[number];

const HOLDING: ReadonlySet<ProofStatus> = new Set(["in_force", "fulfilled", "paid"]);

/** Whether a reader of the proof may rely on it. */
export function holds(status: ProofStatus): boolean {
  return HOLDING.has(status);
}

/** The outcome of the promise in a settlement's quote. */
export function statusOfQuote(settlement: Settlement, now: Date): ProofStatus {
  switch (settlement.status) {
    case "quoted":
      if (settlement.approvalState === "pending") return "awaiting_approval";
      return quoteHasLapsed(settlement, now) ? "expired" : "in_force";
    case "processing":
      return "in_force";
    case "executed":
      return "fulfilled";
    case "failed":
      return "failed";
    case "cancelled":
      return settlement.approvalState === "rejected" ? "rejected" : "cancelled";
  }
}
