import { z } from "zod";
import { addressOrRange, instantParameter, plainText, timestamp } from "#contract/primitives.ts";
import { createdAt } from "#contract/shared-fields.ts";
import { toWire } from "#contract/wire.ts";
import { OPERATOR_ROLES, OPERATOR_SCOPES, SCOPES } from "#domain/access.ts";
import type { ApiKey } from "#domain/api-key.ts";

const scope = z.enum([...SCOPES, ...OPERATOR_SCOPES]);
const MAX_OVERLAP_SECONDS = 30 * 86_400;

/** false, true, or "all". */
const signedManagement = z.union([z.boolean(), z.literal("all")]);

const WHOSE = "The partner that the key acts for; null for an operator's key";

export const apiKeyCreateSchema = z.strictObject({
  partner_id: z.uuid().nullable().describe(WHOSE),
  name: plainText(1, 128).optional().describe("What people will know it by"),
  scopes: z
    .array(scope)
    .min(1)
    .max(SCOPES.length)
    .optional()
    .describe(
      `A partner's key: ${SCOPES.join(", ")}; an operator's: ${OPERATOR_SCOPES.join(", ")}. Left out: all of them; in live mode all but partner:write, of an operator's key read alone`,
    ),
  allowed_ips: z
    .array(addressOrRange)
    .max(100)
    .optional()
    .describe("Addresses and CIDR ranges that it may be used from; any when left out"),
  signed_management: signedManagement
    .optional()
    .describe(
      "What has to be signed on this surface, as on the settlement surface: true: what it changes; all: what it reads as well. Left out: all in live mode, false in the sandbox. In live mode a partner's key signs its changes at least",
    ),
  expires_at: instantParameter
    .nullable()
    .optional()
    .describe("When it ends: ISO 8601 with its zone, in the future; never when null or left out"),
});

export const apiKeyViewSchema = z.object({
  id: z.uuid().describe("The key's id, which paths name it by; not the api_key itself"),
  partner_id: z.uuid().nullable().describe(WHOSE),
  name: z.string().describe("What people know it by"),
  api_key: z.string().optional().describe("What requests carry; at creation and rotation, this once"),
  api_secret: z.string().optional().describe("What requests are signed with; at creation and rotation, this once"),
  api_key_hash: z.string().describe("SHA-256 of the api_key, hex"),
  last_four: z.string().describe("The last four characters of the api_key"),
  scopes: z.array(scope).describe("What it may do"),
  allowed_ips: z.array(z.string()).describe("Addresses and CIDR ranges that it may be used from; empty: any"),
  signed_management: signedManagement.describe(
    "What has to be signed on this surface: true: what it changes; all: what it reads as well; false: nothing",
  ),
  rotated_from: z.uuid().nullable().describe("The id of the key that this one took the place of; null: it replaced none"),
  made_by_key: z.uuid().nullable().describe("The id of the key that made or rotated this one, and with which it ends; null: a person did"),
  proposal_id: z.string().optional().describe("There where the key works only once a second person has confirmed it"),
  created_at: createdAt,
  expires_at: timestamp.nullable().describe("When it ends by itself; null: never"),
  revoked_at: timestamp
    .nullable()
    .describe(
      "When it was revoked, or, in the future, when the overlap of its rotation ends: until then it still works; null: it was not revoked",
    ),
  last_used_at: timestamp.nullable().describe("When it was last used, true to the minute; null: never"),
  last_uses: z
    .array(z.object({ operation: z.string().describe("The operation's id in the OpenAPI document"), at: timestamp.describe("When") }))
    .describe("When each operation was last called with it, newest first, true to the hour; since version 1.2.0"),
});

export const endedKeysSchema = z.object({
  ends: z
    .array(apiKeyViewSchema)
    .describe("The key, all that were rotated from it, and all that were made with it; those that have not ended yet"),
});

const overlap = z
  .int()
  .min(0)
  .max(MAX_OVERLAP_SECONDS)
  .describe("How many seconds the old one stays valid next to the new, in real time; 0: not at all");
export const rotateSchema = z.strictObject({ overlap_seconds: overlap });

export const callbackSecretSchema = z.object({
  callback_secret: z.string().describe("What callbacks are signed with, whsec_…; shown only once"),
  previous_expires_at: timestamp
    .nullable()
    .describe(
      "Until when callbacks carry a second signature, under the old secret, unless another rotation ends that earlier; null: there is no old one",
    ),
});

const OAUTH_ONLY = "Sent by OAuth2 clients; has no effect";

/** The OAuth2 password form, with one field more for the one-time code. */
export const loginFormSchema = z.strictObject({
  username: plainText(1, 254).describe("The person's e-mail address"),
  password: plainText(1, 1_024).describe("The person's password"),
  otp: plainText(0, 16).optional().describe("The one-time code, where one is set up"),
  grant_type: plainText(0, 32)
    .refine((text) => text === "" || text === "password", { error: "must be password" })
    .optional()
    .describe("The word password, as OAuth2 clients send it; may be left out"),
  scope: plainText(0, 256).optional().describe(OAUTH_ONLY),
  client_id: plainText(0, 256).optional().describe(OAUTH_ONLY),
  client_secret: plainText(0, 256).optional().describe(OAUTH_ONLY),
});

export const loginResponseSchema = z.object({
  access_token: z.string().describe("Goes into the header Authorization, after Bearer"),
  token_type: z.literal("bearer").describe("How the token is sent"),
  expires_in: z.int().describe("How many seconds the token is valid for, in real time"),
});

const ROLE = "admin: everything; approver: decides on settlements, and reads; viewer: reads";

export const authCreateSchema = z.strictObject({
  username: z.email({ error: "must be an e-mail address" }).max(254).describe("The person's e-mail address, unique; logs in with it"),
  password: plainText(12, 256).describe(
    "The first password; refused when it is common or easily guessed. In live mode it has no effect for a role that decides: once a second person has confirmed the account, the person sets a password by a link that is mailed to the address",
  ),
  name: plainText(1, 128).describe("The person's name, as others see it"),
  role: z.enum(OPERATOR_ROLES).describe(ROLE),
});

export const authViewSchema = z.object({
  id: z.uuid().describe("The account's id; for an operator's API key, the key's"),
  username: z.string().nullable().describe("The person's e-mail address; null for an operator's API key"),
  name: z.string().describe("The person's or the key's name"),
  role: z.enum(OPERATOR_ROLES).describe(ROLE),
  created_at: createdAt,
  proposal_id: z.string().optional().describe("There where the account is made only once a second person has confirmed it"),
});

type KeyRecord = Omit<ApiKey, "partner" | "sealedSecret" | "madeBy" | "lastUsedAddress"> & { partnerId: string | null; keyHash: string };

/** A key as it may be shown at any time; with the pair itself right after it was issued. */
export function renderApiKey(
  key: KeyRecord & { apiKey?: string; apiSecret?: string; proposalId?: string | null },
): z.infer<typeof apiKeyViewSchema> {
  return {
    ...toWire(key, "id", "partnerId", "name"),
    ...(key.apiKey === undefined ? {} : { api_key: key.apiKey }),
    ...(key.apiSecret === undefined ? {} : { api_secret: key.apiSecret }),
    api_key_hash: key.keyHash,
    ...toWire(key, "lastFour", "scopes", "allowedIps", "signedManagement", "rotatedFrom", "madeByKey"),
    ...(key.proposalId ? { proposal_id: key.proposalId } : {}),
    ...toWire(key, "createdAt", "expiresAt", "revokedAt", "lastUsedAt"),
    last_uses: renderLastUses(key),
  };
}

/** Which operations were last called with a key, newest first. */
export function renderLastUses({ lastUses }: Pick<ApiKey, "lastUses">): { operation: string; at: string }[] {
  const uses = Object.entries(lastUses).map(([operation, at]) => ({ operation, at }));
  return uses.sort((one, other) => (one.at < other.at ? 1 : -1));
}
