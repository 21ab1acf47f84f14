import { z } from "zod";
import { caip2, plainText, reference } from "#contract/primitives.ts";
import { createdAt, updatedAt } from "#contract/shared-fields.ts";
import { toInside, toWire } from "#contract/wire.ts";
import { type Member, normalizePhone, SAFE_STATUSES } from "#domain/member.ts";

const USER_ID = "The partner's own name for the member, unique among its members";
const PHONE = "E.164, unique among the partner's members";

/** A partner's end customer (contract, part 6). */
export const memberSchema = z.object({
  id: z.uuid().describe("The member's id; also taken in a path, in place of external_user_id"),
  external_user_id: z.string().describe(USER_ID),
  phone: z.string().describe(PHONE),
  name: z.string().nullable().describe("The member's name; null: none is known"),
  email: z.string().nullable().describe("The member's e-mail address; null: none is known"),
  wallet_address: z
    .string()
    .nullable()
    .describe("The wallet that the member brought, or its Safe; null until the Safe is deployed, and where that failed"),
  chain: z.string().describe("Network of the wallet, CAIP-2"),
  safe_status: z
    .enum(SAFE_STATUSES)
    .nullable()
    .describe("How far the member's Safe has come; null for a member that brought its own wallet"),
  created_at: createdAt,
  updated_at: updatedAt,
});

const phone = plainText(1, 64)
  .transform((text, context): string => {
    const normal = normalizePhone(text);
    if (normal !== null) return normal;
    context.addIssue({ code: "custom", message: "must be a phone number with its country's code, such as +254712345678" });
    return z.NEVER;
  })
  .meta({ type: "string" })
  .describe(`${PHONE}; spaces, dots, dashes and brackets are passed over`);
const email = z.email({ error: "must be an e-mail address" }).max(254).nullable().optional();
const name = plainText(1, 128).nullable().optional();

export const memberCreateSchema = z.strictObject({
  external_user_id: reference.describe(USER_ID),
  phone,
  name: name.describe("The member's name"),
  email: email.describe("The member's e-mail address"),
  wallet_address: plainText(1, 128)
    .nullable()
    .optional()
    .describe("A wallet that the member has already; left out: a Safe is deployed for the member"),
  chain: caip2.nullable().optional().describe("Where the wallet is or the Safe will be; the installation's first chain when left out"),
});

/** The new member that a body asks for. */
export function readNewMember(body: z.output<typeof memberCreateSchema>) {
  return { name: null, email: null, walletAddress: null, chain: null, ...toInside(body) };
}

/** Omitted fields stay as they are; null removes a name or an e-mail address. */
export const memberUpdateSchema = z.strictObject({
  phone: phone.optional(),
  name: name.describe("The new name; null takes it away, left out it stays"),
  email: email.describe("The new e-mail address; null takes it away, left out it stays"),
});

export function renderMember(member: Member): z.infer<typeof memberSchema> {
  return {
    ...toWire(member, "id", "externalUserId", "phone", "name", "email", "walletAddress", "chain"),
    ...toWire(member, "safeStatus", "createdAt", "updatedAt"),
  };
}
