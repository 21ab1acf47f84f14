import { walletActivationBody } from "#contract/proposal-bodies.ts";
import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { wakeTransfers } from "#db/queries/transfers/transfers.ts";
import { findWallet, lockWallet, setWalletState, type Wallet } from "#db/queries/transfers/wallets.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import { isUuid } from "#domain/uuid.ts";
import { mayBecome, type WalletState } from "#domain/wallet.ts";
import type { Uses } from "#server/context.ts";
import { haltScope } from "#server/services/halts/halt-scope.ts";
import { type ProposalKind, propose } from "#server/services/proposals/propose.ts";
import { auditOrder, type TreasuryOrder } from "./audit-order.ts";
import { refuseWhileItOwnsSafes } from "./replace-safe-owner.ts";

type Body = ReturnType<typeof walletActivationBody.parse>;

/** In live mode two people have a wallet sign again. */
export const WALLET_ACTIVATION: ProposalKind<Body, Wallet, object> = {
  kind: "wallet_activation",
  permission: "administer",
  schema: walletActivationBody,
  show: (body) => body,
  carryOut: (ctx, { by, proposer, reason, body }) =>
    change(ctx.db, { by, reason: reason ?? "", askedBy: proposer.id, walletId: body.wallet_id, state: "active" }),
};

/**
 * Changes the state of a treasury wallet. A compromised one is halted in the same transaction, and never comes back. One that owns a Safe
 * cannot be retired. One person takes a wallet out of use at once; in live mode a second one confirms that it signs again.
 *
 * @returns null while it waits for the second person
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state`, `conflict` when that is proposed already
 */
export async function changeWalletState(
  ctx: Uses<"db" | "clock" | "evm" | "mode">,
  command: TreasuryOrder & { walletId: string; state: WalletState },
): Promise<Wallet | null> {
  const { walletId, state, by, reason } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const seen = isUuid(walletId) ? await findWallet(ctx.db, walletId) : null;
  if (seen === null) throw new Refusal("not_found", { detail: "There is no such wallet." });
  refuseUnlessPossible(seen, state);
  if (state === "active") {
    const body = { wallet_id: seen.id, chain: seen.chain, address: seen.address, state: seen.state };
    return (await propose(ctx, WALLET_ACTIVATION, { by, subject: seen.id, body, reason })).result;
  }
  if (state === "retired") await refuseWhileItOwnsSafes(ctx, seen);
  return await ctx.db.transaction((tx) => change(tx, { by, reason, walletId, state }));
}

type Change = TreasuryOrder & { walletId: string; state: WalletState; askedBy?: string };

async function change(tx: Database, { walletId, state, askedBy, ...order }: Change): Promise<Wallet> {
  const before = await lockWallet(tx, walletId);
  if (before === null) throw new Refusal("not_found", { detail: "There is no such wallet." });
  refuseUnlessPossible(before, state);
  const wallet = await setWalletState(tx, walletId, state);
  if (wallet === null) throw new Error("a locked wallet is gone");
  const { chain, address } = wallet;
  const changed = { state: [before.state, state], chain, address, ...(askedBy && { asked_by: askedBy }) };
  await auditOrder(tx, order, { action: "wallet.state_changed", objectId: wallet.id, change: changed, now: await readBusinessNow(tx) });
  if (state === "compromised")
    await haltScope(tx, { scope: { kind: "wallet", key: wallet.id }, cause: "key_compromised", detail: order.reason, by: order.by });
  await wakeTransfers(tx);
  return wallet;
}

function refuseUnlessPossible(wallet: Wallet, state: WalletState): void {
  if (!mayBecome(wallet.state, state)) throw new Refusal("invalid_state", { detail: `A ${wallet.state} wallet cannot become ${state}.` });
}
