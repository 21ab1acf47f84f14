import { z } from "zod";
import { jsonDecimal } from "./json-number.ts";
import { defineOperation } from "./operation.ts";
import { plainText, timestamp } from "./primitives.ts";

/** The sandbox's controls, with the operator's apiKey; they do not exist in live mode. */

const clockSchema = z.object({
  now: timestamp.describe("Business time"),
  offset_seconds: z.number().describe("How far business time is ahead of real time, in seconds"),
});
const SOURCE = "The pair's fiat, ISO 4217";
const DESTINATION = "The pair's crypto: symbol of a token";
const RATE = "Mid rate: destination units per one major unit of the source, before any spread; null: the pair has none";
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
  body: z.strictObject({ advance_seconds: z.int().describe("How many seconds to move ahead") }),
  result: clockSchema,
});

export const setRateOperation = defineOperation({
  ...control,
  id: "set_rate",
  summary: "Set a pair's mid rate, or take it away with null",
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
