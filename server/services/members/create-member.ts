import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { findMemberById, findMemberByReference, insertMember, saveMember } from "#db/queries/members/members.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import type { By } from "#domain/access.ts";
import { externalUserIdTaken, type Member, phoneTaken } from "#domain/member.ts";
import { isUuid } from "#domain/uuid.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";
import { admitWallet, findChain } from "./admit-wallet.ts";
import { deployMemberSafe } from "./deploy-member-safe.ts";

/** Without a wallet a Safe is deployed; without a chain it is the installation's first. */
export type CreateMember = Pick<Member, "partnerId" | "externalUserId" | "phone" | "name" | "email" | "walletAddress"> & {
  by: By;
  chain: string | null;
};

/**
 * A partner's end customer. A repeat with the same reference and phone answers with the member that exists and changes nothing, also
 * when two come at once. Without a wallet of its own a Safe is owed to it in the same transaction.
 *
 * @throws Refusal `conflict` for a reference with another phone, a phone of another member, or another member's UUID as reference; `unsupported_chain`,
 * `invalid_wallet_address`.
 */
export async function createMember(ctx: Uses<"db" | "chains" | "evm">, command: CreateMember): Promise<{ member: Member; isNew: boolean }> {
  const chain = findChain(ctx, command.chain);
  if (command.walletAddress !== null) await admitWallet(ctx, chain, command.walletAddress);
  return await ctx.db.transaction(async (tx) => {
    await refuseAnothersId(tx, command);
    const member = await newMember(tx, chain, command);
    if (!(await insertMember(tx, member))) return { member: await existing(tx, command), isNew: false };
    await insertAuditEntry(tx, {
      by: command.by,
      partnerId: member.partnerId,
      action: "member.created",
      objectId: member.id,
      change: { external_user_id: member.externalUserId, wallet_address: member.walletAddress, safe_status: member.safeStatus },
      now: member.createdAt,
    });
    if (member.safeStatus === null) return { member, isNew: true };
    const walletAddress = await deployMemberSafe(tx, ctx, member);
    await saveMember(tx, member.id, { walletAddress, updatedAt: member.updatedAt });
    return { member: { ...member, walletAddress }, isNew: true };
  });
}

/** A member is also known by its UUID: another one's must not become a reference that hides it. */
async function refuseAnothersId(tx: Database, { partnerId, externalUserId }: CreateMember): Promise<void> {
  if (!isUuid(externalUserId)) return;
  const other = await findMemberById(tx, externalUserId, partnerId);
  if (other !== null && other.externalUserId !== externalUserId) throw externalUserIdTaken();
}

async function newMember(tx: Database, chain: ChainInfo, command: CreateMember): Promise<Member> {
  const { by: _by, ...wanted } = command;
  const now = await readBusinessNow(tx);
  const safeStatus = command.walletAddress === null ? "deploying" : null;
  return { id: randomUUID(), ...wanted, chain: chain.chain, safeStatus, createdAt: now, updatedAt: now };
}

async function existing(tx: Database, { partnerId, externalUserId, phone }: CreateMember): Promise<Member> {
  const member = await findMemberByReference(tx, partnerId, externalUserId);
  if (member === null) throw phoneTaken();
  if (member.phone !== phone) throw externalUserIdTaken();
  return member;
}
