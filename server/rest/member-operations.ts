import { readNewMember, renderMember } from "#contract/partner/member.ts";
import {
  createMemberOperation,
  getMemberOperation,
  getMemberSafeInfoOperation,
  getMembersOperation,
  updateMemberOperation,
} from "#contract/partner/member-operations.ts";
import { renderSafeInfo } from "#contract/partner/safes.ts";
import { toInside } from "#contract/wire.ts";
import { isUuid } from "#domain/uuid.ts";
import { tracePlace } from "#server/observe/trace.ts";
import { createMember, updateMember } from "#server/services/members/change-member.ts";
import { readMemberSafe } from "#server/services/members/member-safes.ts";
import { listMembers, readMember } from "#server/services/members/read-members.ts";
import { type Binding, bind } from "./bind.ts";
import { readWalk, showWalk } from "./page.ts";

export const MEMBERS: readonly Binding[] = [
  bind(getMembersOperation, async (ctx, { partnerId, query }) =>
    showWalk(await listMembers(ctx, { partnerId, ...readWalk(query, isUuid) }), renderMember),
  ),
  bind(createMemberOperation, async (ctx, { by, partnerId, body }) => {
    const { member, isNew } = await createMember(ctx, { by, partnerId, ...readNewMember(body), trace: tracePlace() });
    return { body: renderMember(member), ...(isNew ? {} : { status: 200 }) };
  }),
  bind(getMemberOperation, async (ctx, { partnerId, params }) => ({
    body: renderMember(await readMember(ctx, { partnerId, name: params.external_user_id })),
  })),
  bind(updateMemberOperation, async (ctx, { by, partnerId, params, body }) => {
    const command = { by, partnerId, name: params.external_user_id, change: toInside(body) };
    return { body: renderMember(await updateMember(ctx, command)) };
  }),
  bind(getMemberSafeInfoOperation, async (ctx, { partnerId, params }) => ({
    body: renderSafeInfo(await readMemberSafe(ctx, { partnerId, name: params.external_user_id })),
  })),
];
