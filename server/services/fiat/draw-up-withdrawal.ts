import { findPool } from "#db/queries/fiat/fiat-pools.ts";
import { findWithdrawalByExternalId } from "#db/queries/fiat/withdrawals.ts";
import { findMemberByReference } from "#db/queries/members/members.ts";
import type { By } from "#domain/access.ts";
import type { Decimal } from "#domain/decimal.ts";
import { refuseBeyondPool } from "#domain/fiat.ts";
import { priceWithdrawal } from "#domain/fiat-price.ts";
import { newId } from "#domain/ids.ts";
import { type Member, safeMissing } from "#domain/member.ts";
import type { Metadata } from "#domain/metadata.ts";
import type { Partner } from "#domain/partner.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";
import type { Uses } from "#server/context.ts";
import { Unreachable } from "#server/ports.ts";
import { type OrderPricing, priceOrder, refuseOtherPrice, WITHDRAWAL_FIELDS } from "./price-order.ts";
import { externalIdTaken, isSameWithdrawal } from "./same-request.ts";

type Asked = "externalId" | "externalUserId" | "amountMinor" | "currency" | "sourceCurrency" | "chain" | "destination" | "callbackUrl";
/** Out of the Safe of the member that is named, or else of the partner's own. The callback's URL was judged by `checkCallbackUrl`. */
export type RequestWithdrawal = Pick<Withdrawal, "partnerId" | "apiKeyId" | Asked> & {
  by: By;
  /** The `traceparent` that the order will be traced under; left out: none. */
  trace?: string | null;
  /** The partner's own notes; left out: none. */
  metadata?: Metadata | null;
  /** The most crypto to take, in units; left out: any. */
  maximumSourceAmount?: Decimal;
};

/** A withdrawal ready to be stored, with its Safe's balance on the chain; or one that exists already. */
export type DrawnUpWithdrawal =
  | { isRepeat: true; withdrawal: Withdrawal }
  | { isRepeat: false; withdrawal: Withdrawal; safeBalanceBase: bigint };

/**
 * Prices a withdrawal and reads the Safe's balance: everything that must happen outside of a transaction. Nothing is stored, and
 * `requestWithdrawal` checks everything again under the pool's lock.
 *
 * @throws Refusal `conflict` (another request under this `externalId`, or no Safe of ours to withdraw from), `not_found` (the member),
 * `unsupported_chain`, `unsupported_pair`, `amount_too_small`, `amount_too_large`, `insufficient_liquidity`, `rate_unavailable`, `quote_changed` (it would take more than the request wants),
 * `temporarily_unavailable` (no node answers).
 */
export async function drawUpWithdrawal(
  ctx: Uses<"db" | "chains" | "evm" | "fiatProviders">,
  command: RequestWithdrawal,
): Promise<DrawnUpWithdrawal> {
  const earlier = await findWithdrawalByExternalId(ctx.db, command.partnerId, command.externalId);
  if (earlier !== null) {
    if (!isSameWithdrawal(earlier, command)) throw externalIdTaken();
    return { isRepeat: true, withdrawal: earlier };
  }
  const { externalUserId } = command;
  const member = externalUserId === null ? null : await findMemberByReference(ctx.db, command.partnerId, externalUserId);
  if (externalUserId !== null && member === null) throw new Refusal("not_found", { detail: "There is no such member." });
  const order = await priceOrder(ctx, { ...command, crypto: command.sourceCurrency }, WITHDRAWAL_FIELDS);
  const pool = await findPool(ctx.db, command.currency);
  if (pool === null) throw new Refusal("unsupported_pair", { detail: "There are no payouts in this currency." });
  refuseBeyondPool(pool, command.amountMinor);
  const safeAddress = member === null ? ownSafe(order.partner) : memberSafe(member, command.chain);
  const withdrawal = toWithdrawal(command, order, { safeAddress, memberId: member?.id ?? null, provider: ctx.fiatProviders.current });
  refuseOtherPrice("source_amount", withdrawal, { at: withdrawal.sourceAmountBase, most: command.maximumSourceAmount });
  return { isRepeat: false, withdrawal, safeBalanceBase: await readSafeBalance(ctx, withdrawal) };
}

function ownSafe({ walletAddress }: Partner): string {
  if (walletAddress === null) throw safeMissing("The partner has no Safe to withdraw from.", null);
  return walletAddress;
}

type Safe = Pick<Member, "walletAddress" | "safeStatus" | "chain">;

function memberSafe(member: Safe, chain: string): string {
  if (member.chain !== chain) {
    const message = `The member's Safe is on ${member.chain}.`;
    throw new Refusal("unsupported_chain", { detail: message, errors: [{ pointer: "/chain", code: "unsupported_chain", message }] });
  }
  if (member.safeStatus === null) {
    throw safeMissing("The member's wallet is its own. The service can only withdraw from a Safe that it deployed for the member.", null);
  }
  if (member.safeStatus !== "deployed" || member.walletAddress === null) {
    throw safeMissing("The member's Safe is not deployed.", member.safeStatus);
  }
  return member.walletAddress;
}

function toWithdrawal(
  command: RequestWithdrawal,
  { pricing, input, kept }: OrderPricing,
  out: Pick<Withdrawal, "safeAddress" | "memberId" | "provider">,
): Withdrawal {
  const { partnerId, apiKeyId, externalId, externalUserId, amountMinor, currency, sourceCurrency, chain, destination } = command;
  const { now, token } = pricing;
  return {
    id: newId("withdrawal", now),
    partnerId,
    apiKeyId,
    externalId,
    externalUserId,
    amountMinor,
    currency,
    sourceCurrency,
    chain,
    destination,
    ...out,
    step: "reserved",
    ...priceWithdrawal(input),
    ...kept,
    tokenAddress: token.address,
    tokenDecimals: token.decimals,
    treasuryAddress: null,
    callbackUrl: command.callbackUrl,
    trace: command.trace ?? null,
    metadata: command.metadata ?? null,
    providerReference: null,
    txHash: null,
    returnTxHash: null,
    failureReason: null,
    createdAt: now,
    updatedAt: now,
    completedAt: null,
    cancelledAt: null,
  };
}

type SafeHolding = { chain: string; safeAddress: string; tokenAddress: string | null };

/**
 * A Safe's balance of a token, in base units, from the first node that answers. Call it outside of transactions.
 *
 * @throws Refusal `unsupported_chain`, `temporarily_unavailable` when no node of the chain answers.
 */
async function readSafeBalance(ctx: Uses<"evm">, { chain, safeAddress, tokenAddress }: SafeHolding): Promise<bigint> {
  const found = ctx.evm.find(chain);
  if (found === null) throw new Refusal("unsupported_chain", { detail: "Withdrawals are not possible on this chain." });
  for (const node of found.nodes) {
    try {
      const head = await node.block("latest");
      if (head !== null) return await node.balance(safeAddress, tokenAddress, head.height);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  throw new Refusal("temporarily_unavailable", { detail: "The chain does not answer right now.", retryAfterSeconds: 5 });
}
