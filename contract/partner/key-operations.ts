import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { partnerId } from "#contract/shared-fields.ts";
import { apiKeyCreateSchema, apiKeyViewSchema, callbackSecretSchema, endedKeysSchema, rotateSchema } from "./access.ts";
import { pageQuery, READ, TOTAL_COUNT, WRITE } from "./manners.ts";

const oneKey = z.strictObject({ id: z.string().describe("The key's id, a UUID. It is not the api_key itself") });

export const createApiKeyOperation = defineOperation({
  ...WRITE,
  id: "create_api_key",
  summary: "Create Api Key",
  method: "POST",
  path: "/partners/api-keys",
  caller: "operator",
  body: apiKeyCreateSchema,
  result: apiKeyViewSchema,
  status: 201,
  proposedStatus: 202,
  secret: true,
  refusals: ["step_up_required", "not_found"],
});

export const listApiKeysOperation = defineOperation({
  ...READ,
  id: "list_api_keys",
  summary: "List Api Keys",
  path: "/partners/api-keys",
  caller: "both",
  query: pageQuery,
  result: z.array(apiKeyViewSchema),
  resultHeaders: TOTAL_COUNT,
});

export const deleteApiKeyOperation = defineOperation({
  ...WRITE,
  id: "delete_api_key",
  summary: "Delete Api Key",
  method: "DELETE",
  path: "/partners/api-keys/{id}",
  caller: "both",
  params: oneKey,
  query: z.strictObject({
    dry_run: z
      .stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" })
      .optional()
      .describe("If true, nothing is revoked, and the answer lists the keys that would end"),
  }),
  result: endedKeysSchema.optional(),
  status: 204,
  previewStatus: 200,
  refusals: ["step_up_required", "not_found"],
});

export const rotateApiKeyOperation = defineOperation({
  ...WRITE,
  id: "rotate_api_key",
  summary: "Rotate Api Key",
  method: "POST",
  path: "/partners/api-keys/{id}/rotate",
  caller: "both",
  params: oneKey,
  body: rotateSchema,
  result: apiKeyViewSchema,
  status: 201,
  secret: true,
  refusals: ["step_up_required", "not_found", "conflict"],
});

export const rotateCallbackSecretOperation = defineOperation({
  ...WRITE,
  id: "rotate_callback_secret",
  summary: "Rotate Callback Secret",
  method: "POST",
  path: "/partners/{partner_id}/callback-secret/rotate",
  caller: "both",
  params: z.strictObject({ partner_id: partnerId }),
  body: rotateSchema,
  result: callbackSecretSchema,
  status: 201,
  secret: true,
  refusals: ["step_up_required", "not_found"],
});
