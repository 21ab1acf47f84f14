import { z } from "zod";
import { jsonDecimal } from "./json-number.ts";
import { defineOperation } from "./operation.ts";
import { plainText, timestamp } from "./primitives.ts";

/** The sandbox's controls, with the operator's apiKey; they do not exist in live mode. */

const clockSchema = z.object({ now: timestamp, offset_seconds: z.number() });
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
  body: z.strictObject({ advance_seconds: z.int() }),
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
    source_currency: plainText(1, 16),
    destination_currency: plainText(1, 16),
    rate: jsonDecimal.nullable().describe("Destination units per one major unit of the source, before any spread"),
  }),
  result: z.object({
    source_currency: z.string(),
    destination_currency: z.string(),
    rate: z.number().nullable(),
    as_of: timestamp,
  }),
  refusals: ["unsupported_pair"],
});
