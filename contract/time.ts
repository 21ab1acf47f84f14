import { z } from "zod";
import { defineOperation } from "./operation.ts";
import { timestamp } from "./primitives.ts";

/** Outside of the surface and unsigned: so that a client can set its clock before it signs (contract, part 2). Real time. */
export const timeOperation = defineOperation({
  id: "get_time",
  summary: "What time it is here",
  method: "GET",
  path: "/time",
  scope: null,
  caller: "anybody",
  kind: "read",
  result: z.object({
    now: timestamp.describe("The server's time, real time"),
    epoch_seconds: z.int().describe("The same as signatures take it: whole Unix epoch seconds"),
  }),
});
