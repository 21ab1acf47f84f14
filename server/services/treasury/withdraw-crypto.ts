import type { Database } from "#db/client.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import {
  decideTreasuryWithdrawal,
  insertTreasuryWithdrawal,
  listNewestTreasuryWithdrawals,
  lockTreasuryWithdrawal,
} from "#db/queries/transfers/treasury-withdrawals.ts";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import type { By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import { canonicalOf } from "#domain/lapsing-chain.ts";
import { exactText } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import { refuseUnlessAdministrator } from "#domain/session.ts";
import {
  moveTreasuryWithdrawal,
  type TreasuryWithdrawal,
  treasuryWithdrawalDecision,
  WITHDRAWAL_SIGNERS,
} from "#domain/treasury-withdrawal.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";
import { keepSignature } from "#server/services/proposals/keep-signature.ts";
import { refuseUnlessYesCounts } from "#server/services/proposals/refuse-unless-counts.ts";
import { enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { findWithdrawalSigners } from "#server/services/transfers/find-unsigned-withdrawals.ts";
import { auditOrder, type TreasuryOrder } from "./audit-order.ts";

export type { TreasuryWithdrawalView } from "#db/queries/transfers/treasury-withdrawals.ts";

type Propose = TreasuryOrder & { chain: string; walletAddress: string; currency: string; amountBase: bigint; recipient: string };

/**
 * Proposes that the operator takes crypto out of one of its wallets. Nothing moves before two different admins have signed it.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `person_required`, `not_found` for a chain, token or wallet that is not there, `invalid_state` for
 * a wallet that signs nothing, `validation_failed` for a destination that the settings do not name
 */
export async function proposeTreasuryWithdrawal(
  ctx: Uses<"db" | "clock" | "evm" | "lapsing">,
  command: Propose,
): Promise<TreasuryWithdrawal> {
  const { by, reason, chain, currency, amountBase, recipient } = command;
  refuseUnlessAdministrator(by, ctx.clock.now());
  const known = payersOf(ctx).find((one) => one.chain === chain);
  const token = known?.tokens.find((one) => one.currency === currency);
  if (!known || token === undefined) throw new Refusal("not_found", { detail: `${currency} is no configured token of ${chain}.` });
  if (amountBase <= 0n) throw new Refusal("validation_failed", { detail: "A withdrawal is above zero." });
  const destination = known.destinations.find((address) => known.isSame(address, recipient));
  if (destination === undefined)
    throw new Refusal("validation_failed", {
      detail: `The settings for ${chain} do not name that address as a destination of the treasury.`,
    });
  const wallets = (await listWallets(ctx.db)).filter((wallet) => wallet.chain === chain);
  const wallet = wallets.find(({ address }) => known.isSame(address, command.walletAddress));
  if (wallet === undefined) throw new Refusal("not_found", { detail: "There is no such wallet." });
  if (wallet.state !== "active") throw new Refusal("invalid_state", { detail: `A ${wallet.state} wallet signs no withdrawal.` });
  if (wallets.some(({ address }) => known.isSame(address, destination)))
    throw new Refusal("validation_failed", { detail: "The destination is a wallet of the treasury itself." });
  return await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    const place = { chain, currency, tokenAddress: token.address, tokenDecimals: token.decimals, walletAddress: wallet.address };
    const undecided = { decidedAt: null, decidedBy: null, txHash: null, failureReason: null };
    const withdrawal: TreasuryWithdrawal = {
      id: newId("treasuryWithdrawal", now),
      ...place,
      amountBase,
      recipient: destination,
      reason,
      state: "proposed",
      proposedBy: personOf(by),
      proposedAt: now,
      ...undecided,
      updatedAt: now,
    };
    await insertTreasuryWithdrawal(tx, withdrawal);
    await note(tx, command, { action: "treasury.withdrawal_proposed", withdrawal, now });
    return withdrawal;
  });
}

type Sign = { by: By; id: string };

/**
 * An admin signs a treasury withdrawal with a passkey. The second, another person, has its payment enqueued in the same transaction; the
 * signer verifies both signatures again before it signs.
 *
 * @returns how many have signed
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state` unless it is proposed, `same_approver`, `passkey_required` (with the
 * decision)
 */
export async function signTreasuryWithdrawal(
  ctx: Uses<"db" | "clock" | "mode" | "passkeys">,
  { by, id }: Sign,
): Promise<{ signed: number; needed: number }> {
  refuseUnlessAdministrator(by, ctx.clock.now());
  return await ctx.db.transaction(async (tx) => {
    const withdrawal = await lockExisting(tx, id);
    if (withdrawal.state !== "proposed") throw new Refusal("invalid_state", { detail: `The withdrawal is ${withdrawal.state}.` });
    const powers = { ...ctx, db: tx };
    const signers = (await findWithdrawalSigners(powers, [withdrawal])).get(id)?.signers ?? [];
    const now = await readBusinessNow(tx);
    const before = signers.map((signer) => ({ type: "user" as const, id: signer }));
    await refuseUnlessYesCounts(powers, { before, by, now });
    await keepSignature(powers, { by, objectId: id, decision: treasuryWithdrawalDecision(withdrawal) });
    await note(tx, { by, reason: withdrawal.reason }, { action: "treasury.withdrawal_signed", withdrawal, now });
    const signed = signers.length + 1;
    if (signed >= WITHDRAWAL_SIGNERS) await owe(tx, withdrawal, { decidedBy: personOf(by), now });
    return { signed, needed: WITHDRAWAL_SIGNERS };
  });
}

async function owe(tx: Database, before: TreasuryWithdrawal, { decidedBy, now }: { decidedBy: string; now: Date }): Promise<void> {
  const owed = moveTreasuryWithdrawal(before, { state: "owed", decidedBy }, now);
  await decideTreasuryWithdrawal(tx, owed);
  const { id: ownerId, chain, currency, tokenAddress, tokenDecimals, amountBase, recipient, walletAddress: sender } = owed;
  const payment = { ownerId, partnerId: null, chain, currency, tokenAddress, tokenDecimals, amountBase, recipient, sender };
  await enqueueTransfer(tx, { purpose: "treasury_withdrawal", ...payment, now });
}

/**
 * An admin rejects a treasury withdrawal that is not owed yet. One that is owed is cancelled like any payment.
 *
 * @throws Refusal `forbidden`, `step_up_required`, `not_found`, `invalid_state` unless it is proposed
 */
export async function rejectTreasuryWithdrawal(ctx: Uses<"db" | "clock">, { id, ...order }: TreasuryOrder & { id: string }): Promise<void> {
  refuseUnlessAdministrator(order.by, ctx.clock.now());
  await ctx.db.transaction(async (tx) => {
    const before = await lockExisting(tx, id);
    const now = await readBusinessNow(tx);
    if (before.state !== "proposed") throw new Refusal("invalid_state", { detail: `The withdrawal is ${before.state}.` });
    const withdrawal = moveTreasuryWithdrawal(before, { state: "rejected", decidedBy: personOf(order.by) }, now);
    await decideTreasuryWithdrawal(tx, withdrawal);
    await note(tx, order, { action: "treasury.withdrawal_rejected", withdrawal, now });
  });
}

const SHOWN = 200;

/** The newest treasury withdrawals, newest first, and on which chains which wallets may pay another one, in which currency and whereto. */
export async function readTreasuryWithdrawals(ctx: Uses<"db" | "evm" | "lapsing">) {
  const [withdrawals, wallets] = await Promise.all([listNewestTreasuryWithdrawals(ctx.db, SHOWN), listWallets(ctx.db)]);
  const active = wallets.filter(({ state }) => state === "active");
  const places = payersOf(ctx).map(({ chain, name, tokens, destinations }) => ({
    chain,
    name,
    wallets: active.flatMap((wallet) => (wallet.chain === chain ? [wallet.address] : [])),
    currencies: tokens.map(({ currency }) => currency),
    destinations: [...destinations],
  }));
  return { withdrawals, places: places.filter(({ destinations, wallets: payers }) => destinations.length > 0 && payers.length > 0) };
}

async function lockExisting(tx: Database, id: string): Promise<TreasuryWithdrawal> {
  const withdrawal = await lockTreasuryWithdrawal(tx, id);
  if (withdrawal === null) throw new Refusal("not_found", { detail: "There is no such withdrawal." });
  return withdrawal;
}

/** Keys have no device that signs. */
function personOf({ actor }: By): string {
  if (actor.type !== "user") throw new Refusal("person_required", { detail: "A person takes crypto out of the treasury, in the console." });
  return actor.userId;
}

async function note(
  tx: Database,
  order: TreasuryOrder,
  what: { action: string; withdrawal: TreasuryWithdrawal; now: Date },
): Promise<void> {
  const { action, now, withdrawal } = what;
  const { id: objectId, chain, walletAddress: wallet, recipient, currency, amountBase, tokenDecimals } = withdrawal;
  const change = { amount: `${exactText(amountBase, tokenDecimals)} ${currency}`, chain, wallet, recipient };
  await auditOrder(tx, order, { action, objectId, change, now });
}

type Payer = Pick<ChainInfo, "chain" | "name" | "tokens"> & {
  destinations: readonly string[];
  /** Whether two texts are one address there. */
  isSame(left: string, right: string): boolean;
};

/** The chains that the treasury pays on, of every family. */
function payersOf({ evm, lapsing }: Uses<"evm" | "lapsing">): Payer[] {
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
  return [
    ...evm.list().map(({ treasuryDestinations: destinations, ...chain }) => ({ ...chain, destinations, isSame })),
    ...lapsing.list().map(({ treasuryDestinations: destinations = [], ...chain }) => ({
      ...chain,
      destinations,
      isSame: (left: string, right: string) => canonicalOf(chain, left) === canonicalOf(chain, right),
    })),
  ];
}
