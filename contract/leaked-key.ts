import { z } from "zod";
import { defineOperation } from "./operation.ts";

const text = z.string().min(1).max(256);

/** For a scanner of published code, or the partner itself, that finds a key in public. It takes no signature, because the secret is the proof. */
export const leakedKeyOperation = defineOperation({
  id: "report_leaked_key",
  summary: "Report a leaked API key, which is then revoked. Anyone who has found a key and its secret may do this",
  method: "POST",
  path: "/leaked-keys",
  scope: null,
  caller: "anybody",
  kind: "write",
  body: z.strictObject({
    api_key: text.describe("The API key that was found. It begins with key_live_ or key_test_"),
    api_secret: text.describe("The secret that was found with it. It begins with sec_live_ or sec_test_"),
    found_at: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe("Where it was found, such as the address of a page. The owners of the key see this"),
  }),
  status: 202,
  result: z.object({
    received: z.literal(true).describe("Always true, even for a key that never existed: the answer reveals nothing about the key"),
  }),
  refusals: ["validation_failed", "route_not_found", "rate_limited", "temporarily_unavailable"],
});
