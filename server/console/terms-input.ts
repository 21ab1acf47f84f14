import { z } from "zod";
import { caip2, plainText } from "#contract/primitives.ts";
import { fromWire } from "#contract/wire.ts";

/** Terms as people write them, on their screen and in the file of the first ones: amounts are decimals in units of their currencies, as texts. */

export const currency = plainText(1, 16);
export const decimalText = z.string().regex(/^\d{1,30}(\.\d{1,18})?$/, { error: "must be a plain decimal" });

export const pairFields = { source_currency: currency, destination_currency: currency, chain: caip2 };

/** Whether they make sense, the domain says. */
export const termsInput = fromWire({
  enabled: z.boolean(),
  spread_bps: z.int(),
  platform_fee: decimalText,
  minimum_source_amount: decimalText,
  maximum_source_amount: decimalText,
  two_approvals_above_amount: decimalText.nullable(),
  batch_maximum_source_amount: decimalText.nullable().optional(),
  quote_lifetime_seconds: z.int(),
  approved_lifetime_seconds: z.int(),
});
