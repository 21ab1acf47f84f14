import type { Decimal } from "./decimal.ts";

/** What a partner is to the service (specification, part 2; contract, part 6). */
export const PARTNER_ROLES = ["AGGREGATOR", "LIQUIDITY_PROVIDER"] as const;
export type PartnerRole = (typeof PARTNER_ROLES)[number];

export const PARTNER_STATUSES = ["active", "suspended"] as const;
export type PartnerStatus = (typeof PARTNER_STATUSES)[number];

/** The companies that use the service. */
export type Partner = {
  id: string;
  name: string;
  /** Unique, for people and paths. */
  slug: string;
  roles: readonly PartnerRole[];
  status: PartnerStatus;
  /** The partner's own Safe, from which it withdraws; null: none. */
  walletAddress: string | null;
  /** Its fee on top-ups and withdrawals, 0 to 100 with at most 4 decimals. It never touches a settlement. */
  chargeFeePercentage: Decimal;
  createdAt: Date;
  updatedAt: Date;
};
