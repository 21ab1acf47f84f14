import { z } from "zod";
import { timestamp } from "#contract/primitives.ts";
import type { Webhook } from "#contract/webhook.ts";
import type { TopupEvent } from "#domain/topup.ts";
import type { WithdrawalEvent } from "#domain/withdrawal.ts";
import { topupCallbackSchema, withdrawalCallbackSchema } from "./fiat.ts";

const completed = { status: z.literal("completed"), completed_at: timestamp };
const failed = { status: z.literal("failed"), failure_reason: z.string() };

/** The callbacks of fiat in and out, each with its own end. An event that is missing here does not compile. */
export const FIAT_CALLBACKS = {
  "withdrawal.completed": {
    summary: "The provider has paid a withdrawal out",
    body: withdrawalCallbackSchema.extend({ event: z.literal("withdrawal.completed"), ...completed }),
  },
  "withdrawal.failed": {
    summary: "A withdrawal was not paid out; where the crypto had been taken, return_tx_hash names what gave it back",
    body: withdrawalCallbackSchema.extend({ event: z.literal("withdrawal.failed"), ...failed }),
  },
  "topup.completed": {
    summary: "A top-up was collected, and the crypto is final in the member's Safe",
    body: topupCallbackSchema.extend({ event: z.literal("topup.completed"), ...completed }),
  },
  "topup.failed": {
    summary: "A top-up failed: nothing is sent for it",
    body: topupCallbackSchema.extend({ event: z.literal("topup.failed"), ...failed }),
  },
} as const satisfies Record<WithdrawalEvent | TopupEvent, Webhook>;
