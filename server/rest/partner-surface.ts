import type { z } from "zod";
import type { Operation } from "#server/contract/operation.ts";
import type { Actor, By } from "#server/domain/access.ts";
import type { ApiKey } from "#server/domain/api-key.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { authenticateApiKey } from "#server/services/access/authenticate-api-key.ts";
import { noteKeyUse } from "#server/services/access/note-key-use.ts";
import { noteKey, refuseAddress, refuseSuspended, refuseTooMany, refuseWithoutScope } from "./admit-key.ts";
import { type Binding, bind, type Call, type Steps } from "./bind.ts";
import type { Door } from "./door.ts";
import { renderFastApiError } from "./fastapi-error.ts";
import type { Passage } from "./passage.ts";
import { headerOf } from "./raw-request.ts";
import type { Surface } from "./surface.ts";

/** Who calls an operation marked A: an operator. */
export type OperatorCaller = { by: By };

const KEY_HEADER = "apikey";

/**
 * The partner-management surface: an `apiKey` header, no signature, errors in FastAPI's shapes (contract, parts 5, 6 and 9). It
 * serves the operator's operations so far. Operations that act for a key's partner get a caller and a binder of their own here;
 * an access token would be one more way through {@link identify}.
 */
export const partnerSurface: Surface<OperatorCaller> = {
  name: "partner",
  isOpen: () => true,
  singleHeaders: () => [KEY_HEADER, "authorization"],

  async admit(door, passage, operation) {
    const key = await identify(door, passage);
    refuseTooMany(door, passage, key, operation.kind);
    refuseAddress(door, passage, key);
    const actor = actorOf(key);
    if (operation.caller === "operator" && actor.type !== "operator_key") {
      throw new Refusal("forbidden", { detail: "This operation is the operator's." });
    }
    refuseWithoutScope(key, operation);
    refuseSuspended(key);
    await noteKeyUse(door.ctx, key);
    return { by: { actor, requestId: passage.raw.requestId } };
  },

  idempotencyOwner: () => null,
  renderRefusal: renderFastApiError,
};

/** The sandbox's controls: as the surface above, and absent in live mode. */
export const sandboxSurface: Surface<OperatorCaller> = {
  ...partnerSurface,
  name: "sandbox",
  isOpen: (settings) => settings.mode === "sandbox",
};

/** Ties an operation of the operator's to what does it. */
export function bindOperator<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Result extends z.ZodType>(
  operation: Operation<Params, Query, Body, Result>,
  steps: Steps<Call<OperatorCaller, Params, Query, Body>, z.output<Result>>,
): Binding<OperatorCaller> {
  return bind<OperatorCaller, Params, Query, Body, Result>(operation, steps);
}

/** @throws Refusal `missing_api_key`, `unknown_api_key`, `revoked_api_key`. */
async function identify(door: Door, passage: Passage): Promise<ApiKey> {
  const sent = headerOf(passage.raw, KEY_HEADER);
  if (sent === null) throw new Refusal("missing_api_key");
  const key = await authenticateApiKey(door.ctx, sent);
  noteKey(passage, key);
  return key;
}

function actorOf(key: ApiKey): Actor {
  if (key.partner === null) return { type: "operator_key", apiKeyId: key.id };
  return { type: "api_key", apiKeyId: key.id, partnerId: key.partner.id };
}
