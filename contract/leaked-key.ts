import { z } from "zod";
import { defineOperation } from "./operation.ts";

const text = z.string().min(1).max(256);

/** For a scanner of published code, or the partner itself, that finds a key in public. It takes no signature, because the secret is the proof. */
export const leakedKeyOperation = defineOperation({
  id: "report_leaked_key",
  summary: "End a key that was found in public, for anyone who has found it with its secret",
  method: "POST",
  path: "/leaked-keys",
  scope: null,
  caller: "anybody",
  kind: "write",
  body: z.strictObject({
    api_key: text.describe("The key as it was found: key_live_… or key_test_…"),
    api_secret: text.describe("Its secret as it was found: sec_live_… or sec_test_…"),
    found_at: z.string().min(1).max(512).optional().describe("Where it was found, such as the address of a page: the key's owners read it"),
  }),
  status: 202,
  result: z.object({
    received: z.literal(true).describe("Always, also for a key that there never was: the answer reveals nothing about it"),
  }),
  refusals: ["validation_failed", "route_not_found", "rate_limited", "temporarily_unavailable"],
});
