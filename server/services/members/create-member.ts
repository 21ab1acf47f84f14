import { randomUUID } from "node:crypto";
import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit-entries.ts";
import { readBusinessNow } from "#db/queries/clock.ts";
import { findMemberByReference, insertMember, saveMember } from "#db/queries/members.ts";
import { listWalletAddresses } from "#db/queries/wallets.ts";
import type { Uses } from "#server/context.ts";
import type { By } from "#server/domain/access.ts";
import type { Member } from "#server/domain/member.ts";
import { Refusal } from "#server/domain/refusal.ts";
import { checkWalletAddress } from "#server/domain/wallet-address.ts";
import type { ChainInfo } from "#server/ports.ts";
import { deployMemberSafe } from "#server/services/safes/deploy-member-safe.ts";

export type CreateMember = {
  by: By;
  partnerId: string;
  externalUserId: string;
  /** E.164. */
  phone: string;
  name: string | null;
  email: string | null;
  /** null: a Safe is deployed. */
  walletAddress: string | null;
  /** CAIP-2; null: the installation's first chain. */
  chain: string | null;
};

/**
 * A partner's end customer. A repeat with the same reference and phone answers with the member that exists and changes nothing, also
 * when two come at once. Without a wallet of its own a Safe is owed to it in the same transaction.
 *
 * @throws Refusal `conflict` for a reference with another phone, or a phone of another member; `unsupported_chain`,
 * `invalid_wallet_address`.
 */
export async function createMember(ctx: Uses<"db" | "chains" | "evm">, command: CreateMember): Promise<{ member: Member; isNew: boolean }> {
  const chain = findChain(ctx, command.chain);
  if (command.walletAddress !== null) await admitWallet(ctx, chain, command.walletAddress);
  return await ctx.db.transaction(async (tx) => {
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

async function newMember(tx: Database, chain: ChainInfo, command: CreateMember): Promise<Member> {
  const { by: _by, ...wanted } = command;
  const now = await readBusinessNow(tx);
  const safeStatus = command.walletAddress === null ? "deploying" : null;
  return { id: randomUUID(), ...wanted, chain: chain.chain, safeStatus, createdAt: now, updatedAt: now };
}

async function existing(tx: Database, { partnerId, externalUserId, phone }: CreateMember): Promise<Member> {
  const member = await findMemberByReference(tx, partnerId, externalUserId);
  if (member === null) throw new Refusal("conflict", { detail: "Another member has this phone." });
  if (member.phone !== phone) throw new Refusal("conflict", { detail: "This external_user_id belongs to a member with another phone." });
  return member;
}

function findChain(ctx: Uses<"chains">, wanted: string | null): ChainInfo {
  const chain = wanted === null ? ctx.chains.list()[0] : ctx.chains.find(wanted);
  if (chain) return chain;
  const message = "This chain is not one of this service.";
  throw new Refusal("unsupported_chain", { detail: message, errors: [{ pointer: "/chain", code: "unsupported_chain", message }] });
}

async function admitWallet(ctx: Uses<"db">, { chain, tokens }: ChainInfo, address: string): Promise<void> {
  const contracts = tokens.flatMap((token) => (token.address === null ? [] : [token.address]));
  checkWalletAddress({ chain, address, refused: [...contracts, ...(await listWalletAddresses(ctx.db, chain))] });
}
