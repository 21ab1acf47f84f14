import { instantOrNull } from "#contract/primitives.ts";
import { toWire } from "#contract/wire.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { haltReason } from "#domain/halt-scope.ts";
import type { Asset } from "#domain/ledger.ts";
import { fiatAmount, tokenAmount } from "#domain/money.ts";
import type { ScreeningState } from "#domain/screening.ts";
import type { TokenInfo } from "#domain/token.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { AccountLine, BookedBalance } from "#server/services/ledger/read-books.ts";
import type { ShownHalt } from "#server/services/treasury/lift-halt.ts";
import type { Review } from "#server/services/treasury/read-review.ts";
import type { BoardChain, BoardCurrency, BoardWallet } from "#server/services/treasury/read-treasury-board.ts";

/** The treasury as the operator's people see it. Amounts are exact decimals as texts. */

/** Nine decimals: gwei. */
function gwei(wei: bigint): string {
  return formatDecimal({ coefficient: wei, scale: 9 });
}

function gweiOrNull(wei: bigint | null | undefined): string | null {
  return wei === null || wei === undefined ? null : gwei(wei);
}

export function renderBoardChain({ info, maxFeePerGas, head, currencies, wallets }: BoardChain, screening: ScreeningState) {
  return {
    screening: renderScreening(info.chain, screening),
    ...toWire(info, "chain", "name", "confirmations"),
    /** null where fees are not paid for gas. */
    gas:
      maxFeePerGas === undefined
        ? null
        : { base_gwei: gweiOrNull(head?.baseFeePerGas), tip_gwei: gweiOrNull(head?.tipPerGas), cap_gwei: gweiOrNull(maxFeePerGas) },
    head: head && toWire(head, "height", "blockAt", "seenAt", "checkedAt", "nodesUp", "nodesTotal", "trouble"),
    currencies: currencies.map(({ decimals, isNative, usedBase, queuedBase, hours, ...paid }) => ({
      ...toWire(paid, "currency", "wallets", "lowWallets"),
      native: isNative,
      used_24h: tokenAmount(usedBase, decimals),
      queued: tokenAmount(queuedBase, decimals),
      hours,
    })),
    wallets: wallets.map((wallet) => renderWallet(wallet, info.tokens, currencies)),
  };
}

/** By whom the recipients there are screened; `uncovered`: by nobody who would know, so that every payment waits. */
function renderScreening(chain: string, { isOn, covers }: ScreeningState) {
  const cover = covers.find((one) => one.chain === chain);
  const state = isOn ? (cover?.covered ? "covered" : "uncovered") : "off";
  return { state, sources: cover?.sources ?? [] } as const;
}

/** How long an amount lasts alone at the use of all wallets in the last day; null: nothing was used. */
function hoursAlone(amountBase: bigint, currency: BoardCurrency | undefined): number | null {
  return currency === undefined || currency.usedBase <= 0n ? null : Number((amountBase * 240n) / currency.usedBase) / 10;
}

function renderWallet(wallet: BoardWallet, tokens: readonly TokenInfo[], currencies: readonly BoardCurrency[]) {
  const { count, lowestNonce, nativeBase, tokenBase } = wallet.inFlight;
  const decimalsOf = (currency: string) => tokens.find((token) => token.currency === currency)?.decimals ?? 0;
  const promised = tokens.map(({ currency, address, decimals }) => {
    const base = address === null ? nativeBase : (tokenBase.get(address.toLowerCase()) ?? 0n);
    return { currency, amount: tokenAmount(base, decimals) };
  });
  return {
    ...toWire(wallet, "id", "address", "state", "trouble", "signer", "held", "nextNonce", "gaps", "safes"),
    in_flight: { count, lowest_nonce: lowestNonce, amounts: promised },
    balances: wallet.balances.map((balance) => ({
      ...toWire(balance, "currency", "low", "height", "observedAt"),
      amount: tokenAmount(balance.amountBase, decimalsOf(balance.currency)),
      threshold: tokenAmount(balance.thresholdBase, decimalsOf(balance.currency)),
      hours_alone: hoursAlone(
        balance.amountBase,
        currencies.find(({ currency }) => currency === balance.currency),
      ),
    })),
    nonces: wallet.nonces.map(({ transfer, attempts, ...entry }) => ({
      ...toWire(entry, "nonce", "createdAt"),
      ...renderTransfer(transfer),
      attempts: attempts.map((attempt) => ({
        ...toWire(attempt, "hash", "number", "kind", "signedAt", "broadcastAt"),
        max_fee_gwei: gwei(attempt.maxFeePerGas),
      })),
    })),
  };
}

export function renderTransfer(transfer: Transfer) {
  const { id, amountBase, tokenDecimals } = transfer;
  return {
    transfer_id: id,
    amount: tokenAmount(amountBase, tokenDecimals),
    ...toWire(transfer, "purpose", "ownerId", "state", "chain", "currency", "recipient", "txHash"),
    ...toWire(transfer, "waitingReason", "reviewReason", "cancelRequestedAt", "bumpRequestedAt"),
  };
}

export function renderReview({ transfer, ...review }: Review) {
  return { ...renderTransfer(transfer), ...toWire(review, "wallet", "nonce", "mayFail", "nodes") };
}

export function renderLedgerLine({ account, partnerId, partnerName, currency, chain, decimals, amount }: BookedBalance) {
  const text = bookedAmount(amount, { currency, chain, decimals });
  return { account, partner_id: partnerId, partner: partnerName, currency, chain, amount: text };
}

export function renderAccountLine({ decimals, amount, ...line }: AccountLine, of: { currency: string; chain: string | null }) {
  const text = bookedAmount(amount, { ...of, decimals });
  return { ...toWire(line, "entryId", "line", "at", "cause", "causeId", "step"), currency: of.currency, amount: text };
}

/** Debit above, credit below zero. */
function bookedAmount(amount: bigint, { currency, chain, decimals }: Asset): string {
  const size = amount < 0n ? -amount : amount;
  return `${amount < 0n ? "−" : ""}${chain === null ? fiatAmount(size, currency) : tokenAmount(size, decimals)}`;
}

export function renderHalt(halt: ShownHalt) {
  const { scope, lift } = halt;
  return {
    ...toWire(halt, "id", "name", "cause", "detail", "since", "proposal"),
    lane_kind: scope.kind,
    lane_key: scope.key,
    words: haltReason(halt),
    lifted_at: instantOrNull(lift?.at ?? null),
    lift_reason: lift?.reason ?? null,
    by_two: lift !== null && lift.confirmedBy !== null,
  };
}
