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

const WHOSE = "The id of the partner that the key acts for. Null for an operator's key";

export const apiKeyCreateSchema = z.strictObject({
  partner_id: z.uuid().nullable().describe(WHOSE),
  name: plainText(1, 128).optional().describe("A name for the key, for people"),
  scopes: z
    .array(scope)
    .min(1)
    .max(SCOPES.length)
    .optional()
    .describe(
      `The scopes of the key. A partner's key can have ${SCOPES.join(", ")}; an operator's key ${OPERATOR_SCOPES.join(", ")}. The default is all of them. In live mode the default leaves out partner:write, and is read for an operator's key`,
    ),
  allowed_ips: z
    .array(addressOrRange)
    .max(100)
    .optional()
    .describe("IP addresses and CIDR ranges that the key may be used from. The default is any address"),
  signed_management: signedManagement
    .optional()
    .describe(
      "Which requests on this surface must be signed, as on the settlement surface. true: requests that change something. all: every request. false: none. The default is all in live mode and false in the sandbox. In live mode a partner's key must sign at least its changes",
    ),
  expires_at: instantParameter
    .nullable()
    .optional()
    .describe("When the key expires: an instant in the future, ISO 8601 with a time zone. Null or absent means never"),
});

export const apiKeyViewSchema = z.object({
  id: z.uuid().describe("The key's id, which you use in paths. It is not the api_key itself"),
  partner_id: z.uuid().nullable().describe(WHOSE),
  name: z.string().describe("The name of the key, for people"),
  api_key: z.string().optional().describe("The key that requests carry. Present only in the answer to creation or rotation"),
  api_secret: z.string().optional().describe("The secret that signs requests. Present only in the answer to creation or rotation"),
  api_key_hash: z.string().describe("The SHA-256 hash of the api_key, in hex"),
  last_four: z.string().describe("The last four characters of the api_key"),
  scopes: z.array(scope).describe("What the key may do"),
  allowed_ips: z.array(z.string()).describe("IP addresses and CIDR ranges that the key may be used from. An empty list means any address"),
  signed_management: signedManagement.describe(
    "Which requests on this surface must be signed. true: requests that change something. all: every request. false: none",
  ),
  rotated_from: z.uuid().nullable().describe("The id of the key that this key replaced by rotation. Null if it replaced none"),
  made_by_key: z
    .uuid()
    .nullable()
    .describe("The id of the key that created or rotated this key. If that key is revoked, this one is too. Null if a person created it"),
  proposal_id: z.string().optional().describe("Present if a second person must confirm the key before it works: the id of that proposal"),
  created_at: createdAt,
  expires_at: timestamp.nullable().describe("When the key expires. Null if it never does"),
  revoked_at: timestamp
    .nullable()
    .describe(
      "When the key was revoked. After a rotation with an overlap it is in the future, and the key works until then. Null if it was not revoked",
    ),
  last_used_at: timestamp.nullable().describe("When the key was last used, to the minute. Null if it never was"),
  last_uses: z
    .array(
      z.object({
        operation: z.string().describe("The operation's id in the OpenAPI document"),
        at: timestamp.describe("When it was last called"),
      }),
    )
    .describe("When each operation was last called with the key, to the hour, newest first. Calls before version 1.2.0 are not included"),
});

export const endedKeysSchema = z.object({
  ends: z
    .array(apiKeyViewSchema)
    .describe("The key, the keys rotated from it and the keys created with it. Keys that have already ended are left out"),
});

const overlap = z
  .int()
  .min(0)
  .max(MAX_OVERLAP_SECONDS)
  .describe("How long the old one stays valid next to the new one, in seconds of real time. 0 ends it at once");
export const rotateSchema = z.strictObject({ overlap_seconds: overlap });

export const callbackSecretSchema = z.object({
  callback_secret: z.string().describe("The secret that signs callbacks. It begins with whsec_ and is shown only once"),
  previous_expires_at: timestamp
    .nullable()
    .describe(
      "Until when callbacks also carry a signature with the old secret. Another rotation may end this earlier. Null if there is no old secret",
    ),
});

const OAUTH_ONLY = "OAuth2 clients send this field. It has no effect";

/** The OAuth2 password form, with one field more for the one-time code. */
export const loginFormSchema = z.strictObject({
  username: plainText(1, 254).describe("The person's e-mail address"),
  password: plainText(1, 1_024).describe("The person's password"),
  otp: plainText(0, 16).optional().describe("The one-time code. Required if the person has set one up"),
  grant_type: plainText(0, 32)
    .refine((text) => text === "" || text === "password", { error: "must be password" })
    .optional()
    .describe("The word password, as OAuth2 clients send it. Optional"),
  scope: plainText(0, 256).optional().describe(OAUTH_ONLY),
  client_id: plainText(0, 256).optional().describe(OAUTH_ONLY),
  client_secret: plainText(0, 256).optional().describe(OAUTH_ONLY),
});

export const loginResponseSchema = z.object({
  access_token: z.string().describe("The access token. Send it in the header Authorization, after Bearer"),
  token_type: z.literal("bearer").describe("The type of the token: bearer"),
  expires_in: z.int().describe("How long the token is valid, in seconds of real time"),
});

const ROLE = "What the person may do. admin: everything. approver: decide on settlements, and read. viewer: read";

export const authCreateSchema = z.strictObject({
  username: z
    .email({ error: "must be an e-mail address" })
    .max(254)
    .describe("The person's e-mail address, which is also the name to log in with. It must be unique"),
  password: plainText(12, 256).describe(
    "The first password. A common or easily guessed password is refused. In live mode it has no effect for roles that decide: after a second person has confirmed the account, the person gets an e-mail with a link to set a password",
  ),
  name: plainText(1, 128).describe("The person's name, as others see it"),
  role: z.enum(OPERATOR_ROLES).describe(ROLE),
});

export const authViewSchema = z.object({
  id: z.uuid().describe("The account's id. For an operator's API key, the id of the key"),
  username: z.string().nullable().describe("The person's e-mail address. Null for an operator's API key"),
  name: z.string().describe("The name of the person or of the key"),
  role: z.enum(OPERATOR_ROLES).describe(ROLE),
  created_at: createdAt,
  proposal_id: z
    .string()
    .optional()
    .describe("Present if a second person must confirm the account before it exists: the id of that proposal"),
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
