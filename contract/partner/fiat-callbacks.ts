import { z } from "zod";
import { timestamp } from "#contract/primitives.ts";
import type { Webhook } from "#contract/webhook.ts";
import type { TopupEvent } from "#domain/topup.ts";
import type { WithdrawalEvent } from "#domain/withdrawal.ts";
import { topupCallbackSchema, withdrawalCallbackSchema } from "./fiat.ts";

const FINAL = "How it ended";
const completed = { status: z.literal("completed").describe(FINAL), completed_at: timestamp.describe("When it was completed") };
const failed = { status: z.literal("failed").describe(FINAL), failure_reason: z.string().describe("Why it failed, in words") };

/** The name of the one event that a body is of. */
function event<Name extends WithdrawalEvent | TopupEvent>(name: Name) {
  return z.literal(name).describe("What has happened");
}

/** The callbacks of fiat in and out, each with its own end. An event that is missing here does not compile. */
export const FIAT_CALLBACKS = {
  "withdrawal.completed": {
    summary: "The provider has paid a withdrawal out",
    body: withdrawalCallbackSchema.extend({ event: event("withdrawal.completed"), ...completed }),
  },
  "withdrawal.failed": {
    summary: "A withdrawal was not paid out; where the crypto had been taken, return_tx_hash names what gave it back",
    body: withdrawalCallbackSchema.extend({ event: event("withdrawal.failed"), ...failed }),
  },
  "topup.completed": {
    summary: "A top-up was collected, and the crypto is final in the member's Safe",
    body: topupCallbackSchema.extend({ event: event("topup.completed"), ...completed }),
  },
  "topup.failed": {
    summary: "A top-up failed: nothing is sent for it",
    body: topupCallbackSchema.extend({ event: event("topup.failed"), ...failed }),
  },
} as const satisfies Record<WithdrawalEvent | TopupEvent, Webhook>;
