import { z } from "zod";
import { caip2, instantParameter, plainText, reference } from "#contract/primitives.ts";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { APPROVAL_CHOICES, SETTLEMENT_VIEWS } from "#domain/settlement-view.ts";
import { sinceField, walkFields } from "./walk.ts";

/** What the console's calls are asked with, in wire names. Strict, as every request. */

const currency = plainText(1, 16);
/** In units of the source currency, which then must be named. */
const fiat = z.string().regex(/^\d{1,16}(\.\d{1,4})?$/, { error: "must be a plain decimal" });

const settlementFilterFields = {
  view: z.enum(SETTLEMENT_VIEWS).optional(),
  partner_id: z.uuid().optional(),
  source_currency: currency.optional(),
  destination_currency: currency.optional(),
  chain: caip2.optional(),
  merchant: reference.optional(),
  callbacks: z.enum(CALLBACK_STATES).optional(),
  amount_from: fiat.optional(),
  amount_to: fiat.optional(),
  created_from: instantParameter.optional(),
  created_to: instantParameter.optional(),
  decided_by_me: z.boolean().optional(),
  approval: z.enum(APPROVAL_CHOICES).optional(),
  /** Its quote has run out, also where a decision is still awaited. */
  lapsed: z.boolean().optional(),
  executed_from: instantParameter.optional(),
  executed_to: instantParameter.optional(),
  /** A part of the failure's reason. */
  failure: plainText(1, 128).optional(),
  /** Confirmed at least so many minutes ago, and still processing. */
  processing_minutes: z.int().min(1).max(100_000).optional(),
  /** Failed since midnight, UTC. */
  failed_today: z.boolean().optional(),
};
export const settlementFilter = z.strictObject(settlementFilterFields);
export type SettlementFilterInput = z.output<typeof settlementFilter>;

export const settlementPage = z.strictObject({
  ...settlementFilterFields,
  ...walkFields,
});

export const settlementSearch = z.strictObject({
  text: plainText(1, 512),
  as: z.enum(["tx_id", "tx_hash", "wallet", "external_id", "merchant"]).optional(),
});

/** How many came since: the filter of a list, and the cursor of its first row. */
export const settlementsSince = z.strictObject({ ...settlementFilterFields, ...sinceField });
/** Rows that are in sight, as they are now. */
export const settlementRows = z.strictObject({ tx_ids: z.array(plainText(1, 64)).max(100) });

export const oneSettlement = z.strictObject({ tx_id: plainText(1, 64) });

/** A password, a one-time code or a recovery code. */
export const stepUpInput = z.strictObject({ proof: z.string().min(1).max(1_024) });
export const oneSession = z.strictObject({ session_id: plainText(1, 64) });
