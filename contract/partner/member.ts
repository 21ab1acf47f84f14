import { z } from "zod";
import { caip2, plainText, reference } from "#contract/primitives.ts";
import { createdAt, updatedAt } from "#contract/shared-fields.ts";
import { toInside, toWire } from "#contract/wire.ts";
import { type Member, normalizePhone, SAFE_STATUSES } from "#domain/member.ts";

const USER_ID = "Your own id for the member, unique among your members";
const PHONE = "The phone number in E.164 form, such as +254712345678, unique among your members";

/** A partner's end customer (contract, part 6). */
export const memberSchema = z.object({
  id: z.uuid().describe("The member's id. A path accepts it in place of external_user_id"),
  external_user_id: z.string().describe(USER_ID),
  phone: z.string().describe(PHONE),
  name: z.string().nullable().describe("The member's name. Null if none is known"),
  email: z.string().nullable().describe("The member's e-mail address. Null if none is known"),
  wallet_address: z
    .string()
    .nullable()
    .describe("The wallet that the member brought, or the member's Safe. Null until the Safe is deployed, and if its deployment failed"),
  chain: z.string().describe("The blockchain network of the wallet as a CAIP-2 id, such as eip155:1"),
  safe_status: z.enum(SAFE_STATUSES).nullable().describe("The state of the member's Safe. Null for a member that brought its own wallet"),
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
  .describe(`${PHONE}. Spaces, dots, dashes and brackets are ignored`);
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
    .describe("A wallet that the member already has. Without it, a Safe is deployed for the member"),
  chain: caip2
    .nullable()
    .optional()
    .describe("The blockchain network of the wallet or the Safe, as a CAIP-2 id. The default is the first chain of the installation"),
});

/** The new member that a body asks for. */
export function readNewMember(body: z.output<typeof memberCreateSchema>) {
  return { name: null, email: null, walletAddress: null, chain: null, ...toInside(body) };
}

/** Omitted fields stay as they are; null removes a name or an e-mail address. */
export const memberUpdateSchema = z.strictObject({
  phone: phone.optional(),
  name: name.describe("The new name. Null removes the name. If absent, it stays unchanged"),
  email: email.describe("The new e-mail address. Null removes it. If absent, it stays unchanged"),
});

export function renderMember(member: Member): z.infer<typeof memberSchema> {
  return {
    ...toWire(member, "id", "externalUserId", "phone", "name", "email", "walletAddress", "chain"),
    ...toWire(member, "safeStatus", "createdAt", "updatedAt"),
  };
}
