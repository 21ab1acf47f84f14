import { z } from "zod";
import { caip2, instant, plainText, reference, timestamp } from "#contract/primitives.ts";
import { type Member, normalizePhone, SAFE_STATUSES } from "#domain/member.ts";

/** A partner's end customer (contract, part 6). */
export const memberSchema = z.object({
  id: z.uuid(),
  external_user_id: z.string(),
  phone: z.string().describe("E.164"),
  name: z.string().nullable(),
  email: z.string().nullable(),
  wallet_address: z.string().nullable().describe("Null until the member's Safe has its address"),
  chain: z.string().describe("CAIP-2"),
  safe_status: z.enum(SAFE_STATUSES).nullable().describe("Null for a member that brought its own wallet"),
  created_at: timestamp,
  updated_at: timestamp,
});

const phone = plainText(1, 64)
  .transform((text, context): string => {
    const normal = normalizePhone(text);
    if (normal !== null) return normal;
    context.addIssue({ code: "custom", message: "must be a phone number with its country's code, such as +254712345678" });
    return z.NEVER;
  })
  .meta({ type: "string" })
  .describe("E.164; spaces, dots, dashes and brackets are passed over");
const email = z.email({ error: "must be an e-mail address" }).max(254);
const name = plainText(1, 128);

export const memberCreateSchema = z.strictObject({
  external_user_id: reference,
  phone,
  name: name.nullable().optional(),
  email: email.nullable().optional(),
  wallet_address: plainText(1, 128).nullable().optional().describe("Left out: a Safe is deployed for the member"),
  chain: caip2.nullable().optional().describe("Where the wallet is or the Safe will be; the installation's first chain when left out"),
});

/** What is left out stays as it is; null takes a name or an e-mail address away. */
export const memberUpdateSchema = z.strictObject({
  phone: phone.optional(),
  name: name.nullable().optional(),
  email: email.nullable().optional(),
});

export function renderMember(member: Member): z.infer<typeof memberSchema> {
  return {
    id: member.id,
    external_user_id: member.externalUserId,
    phone: member.phone,
    name: member.name,
    email: member.email,
    wallet_address: member.walletAddress,
    chain: member.chain,
    safe_status: member.safeStatus,
    created_at: instant(member.createdAt),
    updated_at: instant(member.updatedAt),
  };
}
