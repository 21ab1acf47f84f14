import { z } from "zod";
import { instantParameter, plainText } from "#contract/primitives.ts";
import { CALLBACK_STATES } from "#domain/callback.ts";
import { walkFields } from "#server/console/walk.ts";

/** What the console's calls about callbacks are asked with, in wire names. Strict, as every request. */

const id = plainText(1, 64);
const origin = plainText(1, 300);
const cause = z.string().regex(/^[a-z0-9_]{1,40}$/, { error: "must be a cause's name" });

const filterFields = {
  partner_id: z.uuid().optional(),
  state: z.enum(CALLBACK_STATES).optional(),
  event: plainText(1, 64).optional(),
  origin: origin.optional(),
  cause: cause.optional(),
  subject_id: id.optional(),
  created_from: instantParameter.optional(),
  created_to: instantParameter.optional(),
};
export type CallbackFilterInput = z.output<z.ZodObject<typeof filterFields>>;

export const callbackPage = z.strictObject({
  ...filterFields,
  ...walkFields,
});

/** Whose, when an operator looks at one partner alone. */
export const callbackScope = z.strictObject({ partner_id: z.uuid().optional() });

export const callbackById = z.strictObject({ id });

/** What is not taken: given up, or failing and still retried. */
export const callbackGroups = z.strictObject({ partner_id: z.uuid().optional(), state: z.enum(["undelivered", "retrying"]) });

/** The retrying ones of a receiver. */
export const attemptSelection = z.strictObject({ partner_id: z.uuid().optional(), origin, cause: cause.optional() });

/** A receiver by scheme, host and port, as `URL.origin` writes it. */
const receiver = origin.refine((text) => URL.canParse(text) && new URL(text).origin === text, { error: "must be scheme, host and port" });
export const receiverPause = z.strictObject({ partner_id: z.uuid().optional(), origin: receiver, reason: plainText(1, 200) });
export const receiverResume = z.strictObject({ partner_id: z.uuid().optional(), origin: receiver });

/** Some by their ids, or all that are undelivered: of one cause, at one receiver, since an instant. */
export const resendSelection = z.union([
  z.strictObject({ callback_ids: z.array(id).min(1).max(100) }),
  z.strictObject({
    partner_id: z.uuid().optional(),
    cause: cause.optional(),
    origin: origin.optional(),
    since: instantParameter.optional(),
  }),
]);
export type ResendSelectionInput = z.output<typeof resendSelection>;

export const resendJobPage = z.strictObject({ id, after: id.nullable().default(null) });
export const resendJobById = z.strictObject({ id });
