import { randomUUID } from "node:crypto";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { insertCallbackSecret } from "#db/queries/callbacks/callback-secrets.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { insertPartner } from "#db/queries/partners/partners.ts";
import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import type { By } from "#domain/access.ts";
import { type Decimal, formatDecimal } from "#domain/decimal.ts";
import type { Partner, PartnerRole } from "#domain/partner.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { callbackSecretOf } from "#domain/sealed-place.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { newCallbackSecret } from "#domain/signing.ts";
import { checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";

export type CreatePartner = {
  by: By;
  name: string;
  slug: string;
  roles: readonly PartnerRole[];
  walletAddress: string | null;
  chargeFeePercentage: Decimal;
};

/**
 * Creates a partner, active, with a callback secret that nobody has seen: a rotation shows one.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `conflict` for a slug that is taken, `invalid_wallet_address` for an address that fits
 * none of our chains.
 */
export async function createPartner(ctx: Uses<"db" | "clock" | "vault" | "chains">, command: CreatePartner): Promise<Partner> {
  const { by, ...wanted } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  if (wanted.walletAddress !== null) await checkPartnerWallet(ctx, wanted.walletAddress);
  return await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    const partner: Partner = { id: randomUUID(), ...wanted, status: "active", createdAt: now, updatedAt: now };
    const chargeFeePercentage = formatDecimal(partner.chargeFeePercentage);
    const isNew = await insertPartner(tx, { ...partner, roles: [...partner.roles], chargeFeePercentage });
    if (!isNew) throw new Refusal("conflict", { detail: "A partner with this slug already exists." });
    await insertCallbackSecret(tx, {
      id: randomUUID(),
      partnerId: partner.id,
      sealedSecret: ctx.vault.seal(newCallbackSecret(), callbackSecretOf(partner.id)),
      createdAt: ctx.clock.now(),
    });
    await insertAuditEntry(tx, {
      by,
      partnerId: partner.id,
      action: "partner.created",
      objectId: partner.id,
      change: { name: partner.name, slug: partner.slug, roles: partner.roles, charge_fee_percentage: chargeFeePercentage },
      now,
    });
    return partner;
  });
}

/**
 * A partner's wallet has no chain: it must be a valid address on one of ours.
 *
 * @throws Refusal `invalid_wallet_address`, `unsupported_chain` where there is no chain at all.
 */
export async function checkPartnerWallet(ctx: Uses<"db" | "chains">, address: string): Promise<void> {
  let refusal = new Refusal("unsupported_chain");
  for (const { chain, tokens } of ctx.chains.list()) {
    const contracts = tokens.flatMap((token) => (token.address === null ? [] : [token.address]));
    try {
      checkWalletAddress({ chain, address, refused: [...contracts, ...(await listWalletAddresses(ctx.db, chain))] });
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
