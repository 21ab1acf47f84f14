import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { requestRead } from "#contract/shared-fields.ts";

/** The signature's five components as the server read them (contract, parts 2 and 9). */
export const echo = defineOperation({
  id: "echo",
  summary: "Check a signature",
  method: "POST",
  path: "/api/v1/echo",
  scope: null,
  caller: "signed",
  kind: "read",
  unread: true,
  result: z.object({
    timestamp: z.string().describe("The timestamp that was signed, in Unix seconds, as you sent it"),
    ...requestRead,
  }),
});
