import { z } from "zod";
import { jsonDecimal } from "./json-number.ts";
import { defineOperation } from "./operation.ts";
import { plainText, timestamp } from "./primitives.ts";

/** The sandbox's controls, with the operator's apiKey; they do not exist in live mode. */

const clockSchema = z.object({
  now: timestamp.describe("The business time: the sandbox's own clock"),
  offset_seconds: z.number().describe("How far business time is ahead of real time, in seconds"),
});
const SOURCE = "The fiat currency of the pair, as an ISO 4217 code";
const DESTINATION = "The symbol of the token of the pair, such as USDT";
const RATE =
  "The mid rate, before any spread: units of destination_currency for one major unit of source_currency. Null if the pair has no rate";
const control = { scope: null, caller: "operator" } as const;

export const readClockOperation = defineOperation({
  ...control,
  id: "read_clock",
  summary: "Read business time",
  method: "GET",
  path: "/sandbox/clock",
  kind: "read",
  result: clockSchema,
});

export const advanceClockOperation = defineOperation({
  ...control,
  id: "advance_clock",
  summary: "Move business time ahead",
  method: "POST",
  path: "/sandbox/clock",
  kind: "write",
  body: z.strictObject({ advance_seconds: z.int().describe("How far to move business time ahead, in seconds") }),
  result: clockSchema,
});

export const setRateOperation = defineOperation({
  ...control,
  id: "set_rate",
  summary: "Set the mid rate of a pair. Null removes it",
  method: "PUT",
  path: "/sandbox/rates",
  kind: "write",
  body: z.strictObject({
    source_currency: plainText(1, 16).describe(SOURCE),
    destination_currency: plainText(1, 16).describe(DESTINATION),
    rate: jsonDecimal.nullable().describe(RATE),
  }),
  result: z.object({
    source_currency: z.string().describe(SOURCE),
    destination_currency: z.string().describe(DESTINATION),
    rate: z.number().nullable().describe(RATE),
    as_of: timestamp.describe("When it was set, in business time"),
  }),
  refusals: ["unsupported_pair"],
});
