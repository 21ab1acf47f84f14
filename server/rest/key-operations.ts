import { renderApiKey } from "#contract/partner/access.ts";
import {
  createApiKeyOperation,
  deleteApiKeyOperation,
  listApiKeysOperation,
  rotateApiKeyOperation,
  rotateCallbackSecretOperation,
} from "#contract/partner/key-operations.ts";
import { instantOrNull } from "#contract/primitives.ts";
import type { KeyMode } from "#domain/api-key.ts";
import type { Context } from "#server/context.ts";
import { createApiKey } from "#server/services/access/create-api-key.ts";
import { listApiKeys } from "#server/services/access/list-api-keys.ts";
import { previewRevocation, revokeApiKey } from "#server/services/access/revoke-api-key.ts";
import { rotateApiKey } from "#server/services/access/rotate-api-key.ts";
import { rotateCallbackSecret } from "#server/services/access/rotate-callback-secret.ts";
import { type Binding, bind } from "./bind.ts";
import { partnerAsked, tenantOf } from "./callers.ts";
import { readPage, showPage } from "./page.ts";

export const KEYS: readonly Binding[] = [
  bind(createApiKeyOperation, async (ctx, { by, key: issuer, body }) => {
    const key = await createApiKey(ctx, {
      by,
      issuer,
      mode: modeOf(ctx),
      partnerId: body.partner_id,
      name: body.name ?? "API key",
      ...(body.scopes && { scopes: body.scopes }),
      ...(body.allowed_ips && { allowedIps: body.allowed_ips }),
      ...(body.signed_management !== undefined && { signedManagement: body.signed_management }),
      ...(body.expires_at !== undefined && { expiresAt: body.expires_at }),
    });
    return { body: renderApiKey(key), ...(key.proposalId !== null && { status: 202 as const }) };
  }),
  bind(listApiKeysOperation, async (ctx, { query, ...caller }) =>
    showPage(await listApiKeys(ctx, { ...tenantOf(caller), ...readPage(query) }), renderApiKey),
  ),
  bind(deleteApiKeyOperation, async (ctx, { params, query, ...caller }) => {
    const which = { id: params.id, ...tenantOf(caller) };
    if (query.dry_run === true) return { body: { ends: (await previewRevocation(ctx, which)).map(renderApiKey) }, status: 200 as const };
    await revokeApiKey(ctx, { by: caller.by, ...which });
    return { body: undefined };
  }),
  bind(rotateApiKeyOperation, async (ctx, { params, body, ...caller }) => {
    const { by, key: issuer } = caller;
    const rotation = { by, issuer, mode: modeOf(ctx), id: params.id, overlapSeconds: body.overlap_seconds };
    return { body: renderApiKey(await rotateApiKey(ctx, { ...rotation, ...tenantOf(caller) })) };
  }),
  bind(rotateCallbackSecretOperation, async (ctx, { params, body, ...caller }) => {
    partnerAsked(caller, params.partner_id);
    const rotation = { by: caller.by, partnerId: params.partner_id, overlapSeconds: body.overlap_seconds };
    const { callbackSecret, previousExpiresAt } = await rotateCallbackSecret(ctx, rotation);
    return { body: { callback_secret: callbackSecret, previous_expires_at: instantOrNull(previousExpiresAt) } };
  }),
];

function modeOf({ mode }: Pick<Context, "mode">): KeyMode {
  return mode === "live" ? "live" : "test";
}
