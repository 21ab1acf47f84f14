import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { findMemberById, findMemberByReference, insertMember, lockMember, saveMember } from "#db/queries/members/members.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { By } from "#domain/access.ts";
import { externalUserIdTaken, type Member, phoneTaken } from "#domain/member.ts";
import { Refusal } from "#domain/refusal.ts";
import { isUuid } from "#domain/uuid.ts";
import { checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";
import { deployMemberSafe } from "./member-safes.ts";

/** Without a wallet a Safe is deployed; without a chain it is the installation's first. */
export type CreateMember = Pick<Member, "partnerId" | "externalUserId" | "phone" | "name" | "email" | "walletAddress"> & {
  by: By;
  chain: string | null;
  /** The `traceparent` that its Safe's deployment will be traced under; left out: none. */
  trace?: string | null;
};

/**
 * Creates a partner's member. A repeat with the same reference and phone returns the existing member and changes nothing, also
 * concurrently. Without its own wallet, the deployment of a Safe is enqueued in the same transaction.
 *
 * @throws Refusal `conflict` for a reference with another phone, a phone of another member, or another member's UUID as reference;
 * `unsupported_chain`, `invalid_wallet_address`.
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
    const walletAddress = await deployMemberSafe(tx, ctx, member, command.trace);
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
  const { by: _by, trace: _trace, ...wanted } = command;
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

export type UpdateMember = {
  by: By;
  partnerId: string;
  /** `external_user_id` or id. */
  name: string;
  /** Omitted fields stay as they are. */
  change: Partial<Pick<Member, "phone" | "name" | "email">>;
};

/**
 * Changes a member's details. The audit log records which fields changed, not their values: it cannot be corrected, and personal data must
 * be correctable.
 *
 * @throws Refusal `not_found`, `conflict` for a phone that another member has.
 */
export async function updateMember(ctx: Uses<"db">, { by, partnerId, name, change }: UpdateMember): Promise<Member> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const held = await lockMember(tx, partnerId, name);
      if (held === null) throw new Refusal("not_found", { detail: "There is no such member." });
      const now = await readBusinessNow(tx);
      const member = { ...held, ...change, updatedAt: now };
      await saveMember(tx, held.id, { ...change, updatedAt: now });
      const fields = Object.keys(change);
      await insertAuditEntry(tx, { by, partnerId, action: "member.updated", objectId: held.id, change: { fields }, now });
      return member;
    });
  } catch (error) {
    if (isUniqueViolation(error, "members_phone")) throw phoneTaken();
    throw error;
  }
}

/** The chain of that name; null: the installation's first. @throws Refusal `unsupported_chain` */
export function findChain(ctx: Uses<"chains">, wanted: string | null): ChainInfo {
  const chain = wanted === null ? ctx.chains.list()[0] : ctx.chains.find(wanted);
  if (chain) return chain;
  const message = "This chain is not one of this service.";
  throw new Refusal("unsupported_chain", { detail: message, errors: [{ pointer: "/chain", code: "unsupported_chain", message }] });
}

/** Whether a member may have this wallet. @throws Refusal `invalid_wallet_address` */
export async function admitWallet(ctx: Uses<"db">, { chain, tokens }: ChainInfo, address: string): Promise<void> {
  const contracts = tokens.flatMap((token) => (token.address === null ? [] : [token.address]));
  checkWalletAddress({ chain, address, refused: [...contracts, ...(await listWalletAddresses(ctx.db, chain))] });
}
