import { z } from "zod";
import { addressOrRange, instant, instantOrNull, instantParameter, plainText } from "#contract/primitives.ts";
import { OPERATOR_SCOPES, SCOPES, type Scope } from "#domain/access.ts";

/** What is asked and answered about keys and callback secrets, in wire names. Strict, as every request. */

/** How long an old key or secret stays valid beside the new one. */
export const OVERLAPS = [0, 86_400, 604_800] as const;
const overlap = z.union(OVERLAPS.map((seconds) => z.literal(seconds)));

/** Left out: the asker's own partner's; null: the operator's. */
const holder = z.uuid().nullable().optional();

export const keysOf = z.strictObject({ partner_id: holder, ended: z.boolean().default(false) });
export const keyInput = z.strictObject({
  partner_id: holder,
  name: plainText(1, 128),
  scopes: z
    .array(z.enum([...SCOPES, ...OPERATOR_SCOPES]))
    .min(1)
    .max(SCOPES.length),
  allowed_ips: z.array(addressOrRange).max(100),
  expires_at: instantParameter.nullable(),
});
export const keyRotation = z.strictObject({ id: z.uuid(), overlap_seconds: overlap });
export const oneKey = z.strictObject({ id: z.uuid() });
export const secretOf = z.strictObject({ partner_id: z.uuid().optional() });
export const secretRotation = z.strictObject({ partner_id: z.uuid().optional(), overlap_seconds: overlap });

type ShownKey = {
  id: string;
  name: string;
  lastFour: string;
  scopes: readonly Scope[];
  allowedIps: readonly string[];
  rotatedFrom: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
};

/** A key as its people see it at any time. What opens anything is not in it. Real time. */
export function renderKey(key: ShownKey) {
  return {
    id: key.id,
    name: key.name,
    last_four: key.lastFour,
    scopes: [...key.scopes],
    allowed_ips: [...key.allowedIps],
    rotated_from: key.rotatedFrom,
    created_at: instant(key.createdAt),
    expires_at: instantOrNull(key.expiresAt),
    /** In the future while a rotation overlaps. */
    revoked_at: instantOrNull(key.revokedAt),
    last_used_at: instantOrNull(key.lastUsedAt),
    last_used_address: key.lastUsedAddress,
  };
}
export type KeyWire = ReturnType<typeof renderKey>;
