import { z } from "zod";
import { addressOrRange, instant, instantOrNull, instantParameter, plainText, timestamp } from "#contract/primitives.ts";
import { OPERATOR_ROLES, OPERATOR_SCOPES, SCOPES, type Scope } from "#domain/access.ts";

const scope = z.enum([...SCOPES, ...OPERATOR_SCOPES]);
const MAX_OVERLAP_SECONDS = 30 * 86_400;

export const apiKeyCreateSchema = z.strictObject({
  partner_id: z.uuid().nullable().describe("Null for an operator's key"),
  name: plainText(1, 128).optional().describe("What people will know it by"),
  scopes: z
    .array(scope)
    .min(1)
    .max(SCOPES.length)
    .optional()
    .describe(
      `A partner's key: ${SCOPES.join(", ")}; an operator's: ${OPERATOR_SCOPES.join(", ")}. Left out: all of them; in live mode all but partner:write, of an operator's key read alone`,
    ),
  allowed_ips: z.array(addressOrRange).max(100).optional().describe("Addresses and CIDR ranges; any when left out"),
  signed_management: z
    .boolean()
    .optional()
    .describe("Whether what it changes on this surface has to be signed as on the settlement surface; left out: in live mode"),
  expires_at: instantParameter.nullable().optional().describe("ISO 8601 with its zone, in the future; never when left out"),
});

export const apiKeyViewSchema = z.object({
  id: z.uuid(),
  partner_id: z.uuid().nullable(),
  name: z.string(),
  api_key: z.string().optional().describe("At creation and rotation, this once"),
  api_secret: z.string().optional().describe("At creation and rotation, this once"),
  api_key_hash: z.string().describe("SHA-256, hex"),
  last_four: z.string(),
  scopes: z.array(scope),
  allowed_ips: z.array(z.string()),
  signed_management: z.boolean().describe("Whether what it changes on this surface has to be signed"),
  rotated_from: z.uuid().nullable().describe("The key that this one took the place of"),
  proposal_id: z.string().optional().describe("Where the key works only once a second person has confirmed it"),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  revoked_at: timestamp.nullable(),
  last_used_at: timestamp.nullable(),
});

const overlap = z
  .int()
  .min(0)
  .max(MAX_OVERLAP_SECONDS)
  .describe("How long the old one stays valid beside the new, in real time; 0: not at all");
export const rotateSchema = z.strictObject({ overlap_seconds: overlap });

export const callbackSecretSchema = z.object({
  callback_secret: z.string().describe("This once"),
  previous_expires_at: timestamp.nullable().describe("Until when callbacks carry a second signature, under the old secret"),
});

/** The OAuth2 password form, with one field more for the one-time code. */
export const loginFormSchema = z.strictObject({
  username: plainText(1, 254).describe("The e-mail address"),
  password: plainText(1, 1_024),
  otp: plainText(0, 16).optional().describe("The one-time code, where one is set up"),
  grant_type: plainText(0, 32)
    .refine((text) => text === "" || text === "password", { error: "must be password" })
    .optional(),
  scope: plainText(0, 256).optional(),
  client_id: plainText(0, 256).optional(),
  client_secret: plainText(0, 256).optional(),
});

export const loginResponseSchema = z.object({
  access_token: z.string(),
  token_type: z.literal("bearer"),
  expires_in: z.int().describe("Seconds"),
});

export const authCreateSchema = z.strictObject({
  username: z.email({ error: "must be an e-mail address" }).max(254),
  password: plainText(12, 256).describe("Refused when it is common or easily guessed"),
  name: plainText(1, 128),
  role: z.enum(OPERATOR_ROLES),
});

export const authViewSchema = z.object({
  id: z.uuid(),
  username: z.string().nullable().describe("Null for an operator's API key"),
  name: z.string(),
  role: z.enum(OPERATOR_ROLES),
  created_at: timestamp,
  proposal_id: z.string().optional().describe("Where the account is made only once a second person has confirmed it"),
});

type KeyRecord = {
  id: string;
  partnerId: string | null;
  name: string;
  keyHash: string;
  lastFour: string;
  scopes: readonly Scope[];
  allowedIps: readonly string[];
  signedManagement: boolean;
  rotatedFrom: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
};

/** A key as it may be shown at any time; with the pair itself right after it was issued. */
export function renderApiKey(
  key: KeyRecord & { apiKey?: string; apiSecret?: string; proposalId?: string | null },
): z.infer<typeof apiKeyViewSchema> {
  return {
    id: key.id,
    partner_id: key.partnerId,
    name: key.name,
    ...(key.apiKey === undefined ? {} : { api_key: key.apiKey }),
    ...(key.apiSecret === undefined ? {} : { api_secret: key.apiSecret }),
    api_key_hash: key.keyHash,
    last_four: key.lastFour,
    scopes: [...key.scopes],
    allowed_ips: [...key.allowedIps],
    signed_management: key.signedManagement,
    rotated_from: key.rotatedFrom,
    ...(key.proposalId ? { proposal_id: key.proposalId } : {}),
    created_at: instant(key.createdAt),
    expires_at: instantOrNull(key.expiresAt),
    revoked_at: instantOrNull(key.revokedAt),
    last_used_at: instantOrNull(key.lastUsedAt),
  };
}
