import { z } from "zod";
import { plainText } from "#contract/primitives.ts";
import { LIMIT_COUNTED_BY, LIMIT_KINDS, LIMIT_MODES, LIMIT_PURPOSES } from "#domain/exposure-limit.ts";

const amount = z.string().regex(/^\d{1,16}(\.\d{1,18})?$/, { error: "must be an amount" });
const named = plainText(1, 64).nullable();

/** As the console and a file of `npm run set-limits` write a limit. */
export const limitInput = {
  id: plainText(3, 60),
  kind: z.enum(LIMIT_KINDS),
  mode: z.enum(LIMIT_MODES),
  /** Left out, as in files from before there were purposes: it concerns every one. */
  purpose: z.enum(LIMIT_PURPOSES).nullable().default(null),
  partner_id: z.uuid().nullable(),
  source_currency: named,
  destination_currency: named,
  chain: named,
  counted_by: z.enum(LIMIT_COUNTED_BY).nullable(),
  window: z.enum(["hour", "day"]).nullable(),
  amount: amount.nullable(),
  times_maximum: z.int().min(1).max(100_000).nullable(),
  wait_hours: z.number().min(0.25).max(8_760).nullable(),
  addresses: z.array(plainText(1, 128)).max(10_000).nullable(),
};
