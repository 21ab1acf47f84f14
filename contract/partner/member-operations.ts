import { z } from "zod";
import { defineOperation } from "#contract/operation.ts";
import { NEXT_CURSOR, READ, TOTAL_COUNT, WRITE, walkQuery } from "./manners.ts";
import { memberCreateSchema, memberSchema, memberUpdateSchema } from "./member.ts";
import { safeInfoSchema } from "./safes.ts";

const oneMember = z.strictObject({
  external_user_id: z.string().describe("Your own id for the member, or the id that the service gave it"),
});

export const getMembersOperation = defineOperation({
  ...READ,
  id: "get_members",
  summary: "Get Members",
  path: "/partners/members",
  caller: "partner",
  query: walkQuery,
  result: z.array(memberSchema),
  resultHeaders: { ...TOTAL_COUNT, ...NEXT_CURSOR },
});

export const createMemberOperation = defineOperation({
  ...WRITE,
  id: "create_member",
  summary: "Create Member",
  method: "POST",
  path: "/partners/members",
  caller: "partner",
  body: memberCreateSchema,
  result: memberSchema,
  status: 201,
  repeatStatus: 200,
  refusals: ["conflict", "unsupported_chain", "invalid_wallet_address"],
});

export const getMemberOperation = defineOperation({
  ...READ,
  id: "get_member",
  summary: "Get Member",
  path: "/partners/members/{external_user_id}",
  caller: "partner",
  params: oneMember,
  result: memberSchema,
  refusals: ["not_found"],
});

export const updateMemberOperation = defineOperation({
  ...WRITE,
  id: "update_member",
  summary: "Update Member",
  method: "PUT",
  path: "/partners/members/{external_user_id}",
  caller: "partner",
  params: oneMember,
  body: memberUpdateSchema,
  result: memberSchema,
  refusals: ["not_found", "conflict"],
});

export const getMemberSafeInfoOperation = defineOperation({
  ...READ,
  id: "get_member_safe_info",
  summary: "Get Member Safe Info",
  path: "/partners/members/{external_user_id}/safe",
  caller: "partner",
  params: oneMember,
  result: safeInfoSchema,
  refusals: ["not_found"],
});
