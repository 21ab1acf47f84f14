import type { Quoted } from "#db/queries/settlements/insert-quoted.ts";
import { type QuoteBasis, readQuoteBases } from "#db/queries/settlements/quote-basis.ts";
import type { By } from "#domain/access.ts";
import { newId } from "#domain/ids.ts";
import type { Metadata } from "#domain/metadata.ts";
import { refuseBelowMinimum } from "#domain/pair-terms.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Settlement } from "#domain/settlement.ts";
import { checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";
import { findMarket, type Pricing, pricingOn } from "#server/services/rates/read-pricing.ts";
import { judgeQuotes } from "./judge-quotes.ts";
import { priceSettlement } from "./price-settlement.ts";
import { refuseBeyondTreasury } from "./refuse-beyond-treasury.ts";

/** A settlement to quote. */
export type ToQuote = {
  partnerId: string;
  apiKeyId: string;
  by: By;
  sourceAmountMinor: bigint;
  sourceCurrency: string;
  destinationCurrency: string;
  externalMerchantId: string;
  chain: string;
  walletAddress: string;
  /** Already judged by `checkCallbackUrl`, outside of any transaction. */
  callbackUrl: string | null;
  /** The `traceparent` that the settlement will be traced under; left out: none. */
  trace?: string | null;
  /** The partner's own notes; left out: none. */
  metadata?: Metadata | null;
  /** What `judgeQuoted` says against the recipient, outside of any transaction; left out: nothing. */
  recipientFault?: string | null;
  /** Only of an item of a batch, which has its reference from the beginning. */
  batchId?: string;
  externalTxId?: string | null;
  /** An approved item gets the lifetime that an approval gives. */
  isApproved?: boolean;
};

/** Does the work of one item. What it refuses is thrown at once, or kept until `close` (`batches/item-faults.ts`). */
export type Items = {
  of<Result>(index: number, work: () => Result): Result | null;
  close(): void;
};
const ALONE: Items = { of: (_index, work) => work(), close: () => {} };

/**
 * Prices settlements of a partner with a guaranteed rate until `expiresAt` (specification, parts 1 and 4), and judges what they must wait
 * for; `isTogether`: they are a batch, and wait as one. Nothing is stored.
 *
 * @throws Refusal `unsupported_pair`, `unsupported_chain`, `invalid_wallet_address`, `amount_too_small`, `amount_too_large`,
 * `rate_unavailable`, `liquidity_unavailable` (an operator has paused every wallet of the chain, or the treasury cannot pay that much on
 * top of its promises, or the open quotes of the pair have reached a limit). Only in a transaction that limit is kept by two at once.
 */
export async function quoteSettlements(
  ctx: Uses<"db" | "chains">,
  commands: readonly ToQuote[],
  { items = ALONE, isTogether = false }: { items?: Items; isTogether?: boolean } = {},
): Promise<Quoted[]> {
  const asked = commands.flatMap((command, index) => {
    const market = items.of(index, () => findMarket(ctx, command));
    return market === null ? [] : [{ command, index, market }];
  });
  const bases = await readQuoteBases(
    ctx.db,
    asked.map(({ command }) => ({ ...command, recipient: command.walletAddress })),
  );
  const now = new Date(Math.max(...bases.flatMap(({ priced }) => (priced === null ? [] : [priced.now.getTime()]))));
  const priced = asked.flatMap(({ command, index, market }, place) => {
    const basis = bases[place];
    if (basis === undefined) return [];
    const made = items.of(index, () => {
      const pricing = { ...pricingOn(market, basis.priced), now };
      return { settlement: price(command, pricing, basis), pricing, basis };
    });
    return made === null ? [] : [made];
  });
  items.close();
  refuseBeyondTreasury(priced);
  return judgeQuotes(priced, { by: commands.map(({ by }) => by), isTogether, now });
}

function price(command: ToQuote, pricing: Pricing, { isHalted, ours }: QuoteBasis): Settlement {
  refuseHalted(isHalted);
  const { terms, token, now } = pricing;
  const { partnerId, apiKeyId, externalMerchantId, sourceAmountMinor, sourceCurrency, destinationCurrency, chain } = command;
  refuseBelowMinimum(terms, sourceAmountMinor);
  const lifetimeSeconds = command.isApproved ? terms.approvedLifetimeSeconds : terms.quoteLifetimeSeconds;
  const quote = priceSettlement(pricing, sourceAmountMinor, { version: 1, lifetimeSeconds });
  return {
    id: newId("settlement", now),
    partnerId,
    apiKeyId,
    batchId: command.batchId ?? null,
    status: "quoted",
    approvalState: null,
    externalTxId: command.externalTxId ?? null,
    externalMerchantId,
    sourceAmountMinor,
    sourceCurrency,
    destinationCurrency,
    chain,
    walletAddress: admitWallet(command, pricing, ours),
    tokenAddress: token.address,
    tokenDecimals: token.decimals,
    quote,
    creationCallbackUrl: command.callbackUrl,
    callbackUrl: null,
    trace: command.trace ?? null,
    metadata: command.metadata ?? null,
    createdAt: now,
    confirmedAt: null,
    cancelledAt: null,
    approvalDecidedAt: null,
    rejectionReason: null,
    txHash: null,
    executedAt: null,
    failureReason: null,
    failedAt: null,
  };
}

function admitWallet(command: ToQuote, pricing: Pricing, ours: readonly string[]): string {
  const contracts = pricing.chain.tokens.flatMap((token) => (token.address === null ? [] : [token.address]));
  const { chain, walletAddress, recipientFault: fault = null } = command;
  return checkWalletAddress({ chain, address: walletAddress, refused: [...contracts, ...ours], fault });
}

/** Quoting what nobody may pay out would break the promise of the rate. */
function refuseHalted(isHalted: boolean): void {
  if (!isHalted) return;
  throw new Refusal("liquidity_unavailable", { detail: "Payments on this chain are paused.", retryAfterSeconds: 60 });
}
