import { z } from "zod";
import { timestamp } from "#contract/primitives.ts";
import type { Webhook } from "#contract/webhook.ts";
import type { TopupEvent } from "#domain/topup.ts";
import type { WithdrawalEvent } from "#domain/withdrawal.ts";
import { topupCallbackSchema, withdrawalCallbackSchema } from "./fiat.ts";

const FINAL = "The final status";
const completed = { status: z.literal("completed").describe(FINAL), completed_at: timestamp.describe("When it was completed") };
const failed = { status: z.literal("failed").describe(FINAL), failure_reason: z.string().describe("Why it failed, in one sentence") };
const cancelled = { ...failed, cancelled_at: timestamp.describe("When you cancelled it") };

/** The name of the one event that a body is of. */
function event<Name extends WithdrawalEvent | TopupEvent>(name: Name) {
  return z.literal(name).describe("The event that the callback reports");
}

/** The callbacks of fiat in and out, each with its own end. An event that is missing here does not compile. */
export const FIAT_CALLBACKS = {
  "withdrawal.completed": {
    summary: "The provider has paid out a withdrawal",
    body: withdrawalCallbackSchema.extend({ event: event("withdrawal.completed"), ...completed }),
  },
  "withdrawal.failed": {
    summary: "A withdrawal failed and was not paid out. If its crypto had been taken, return_tx_hash is the transaction that returned it",
    body: withdrawalCallbackSchema.extend({ event: event("withdrawal.failed"), ...failed }),
  },
  "withdrawal.cancelled": {
    summary: "You cancelled a withdrawal before anything had moved. Its status is failed",
    body: withdrawalCallbackSchema.extend({ event: event("withdrawal.cancelled"), ...cancelled }),
  },
  "topup.completed": {
    summary: "A top-up was collected, and its crypto has arrived in the member's wallet, final on the chain",
    body: topupCallbackSchema.extend({ event: event("topup.completed"), ...completed }),
  },
  "topup.failed": {
    summary: "A top-up failed. No crypto is sent for it",
    body: topupCallbackSchema.extend({ event: event("topup.failed"), ...failed }),
  },
  "topup.cancelled": {
    summary: "You cancelled a top-up before anything had moved. Its status is failed",
    body: topupCallbackSchema.extend({ event: event("topup.cancelled"), ...cancelled }),
  },
} as const satisfies Record<WithdrawalEvent | TopupEvent, Webhook>;
