import { addressKey, isSameAddress } from "./address-key.ts";
import { type EvmIntent, tokenTransfer } from "./evm-intent.ts";
import { allowanceCall } from "./packed-transfers.ts";
import type { PairTerms } from "./pair-terms.ts";
import { quoteFaults, topupFaults, withdrawalFaults } from "./price-audit.ts";
import type { SafeDeployment } from "./safe-deployment.ts";
import type { Quote, Settlement } from "./settlement.ts";
import type { TokenInfo } from "./token.ts";
import type { Topup } from "./topup.ts";
import { senderOf, type Transfer } from "./transfer.ts";
import type { TreasuryWithdrawal } from "./treasury-withdrawal.ts";
import type { Withdrawal } from "./withdrawal.ts";

/** What a payment is owed for, with everything that has to agree before it is signed. Read from other rows than the payment's own. */
export type PaymentOwner =
  | {
      purpose: "settlement";
      settlement: Settlement;
      /** The present quote as stored at its creation, and its terms; null: it was not stored. */
      kept: { quote: Quote; terms: PairTerms } | null;
      /** How many different people have approved it, and how many the terms and the policy of its first quote ask for. */
      approvals: { given: number; needed: number };
      /** Whether the audit log has its confirmation. */
      isConfirmed: boolean;
    }
  /** `isCollected`: the provider has said that the fiat came in, and its word moved the order. */
  | { purpose: "topup"; topup: Topup; terms: PairTerms; isCollected: boolean }
  | { purpose: "sweep" | "return"; withdrawal: Withdrawal; terms: PairTerms }
  | { purpose: "deployment"; deployment: SafeDeployment }
  | { purpose: "treasury_withdrawal"; withdrawal: TreasuryWithdrawal };

/** What the signing process knows by its own settings: the chain's tokens, the addresses of the treasury's wallets, and the packing contract. */
export type OwnKnowledge = { tokens: readonly TokenInfo[]; treasury: readonly string[]; packingContract: string | null };

/**
 * Why nobody owes this payment: its owner is missing, is in another state, or says another amount, token or recipient than the payment
 * does. Null: the payment is exactly what its owner says. What a contract call does is for {@link sweepCall} and {@link deploymentFault}.
 */
export function owedFault(transfer: Transfer, owner: PaymentOwner | undefined, known: OwnKnowledge): string | null {
  if (transfer.purpose === "filler") return fillerFault(transfer, known);
  if (transfer.purpose === "pack") return "A packed transaction is owed by its payments.";
  if (transfer.purpose === "allowance") return allowanceFault(transfer, known);
  if (owner === undefined) return `There is no ${OWNERS[transfer.purpose] ?? transfer.purpose} ${transfer.ownerId}.`;
  const faults = [...(transfer.purpose === "deployment" ? [] : tokenFaults(transfer, known)), ...ownerFaults(transfer, owner, known)];
  return faults.length === 0 ? null : `${faults.join("; ")}.`;
}

/** What owes a payment, where its purpose is another word. */
const OWNERS: Partial<Record<Transfer["purpose"], string>> = {
  sweep: "withdrawal",
  return: "withdrawal",
  treasury_withdrawal: "treasury withdrawal",
};

function ownerFaults(transfer: Transfer, owner: PaymentOwner, known: OwnKnowledge): string[] {
  switch (owner.purpose) {
    case "settlement":
      return settlementFaults(transfer, owner);
    case "topup": {
      const { topup, terms, isCollected } = owner;
      const { step, destinationCurrency: currency, destinationAmountBase: amountBase, walletAddress: recipient } = topup;
      return [
        ...(step === "sending" ? [] : [`The top-up is ${step}`]),
        ...(isCollected ? [] : ["The provider has not said that the fiat came in"]),
        ...topupFaults(topup, terms),
        ...differences(transfer, { ...topup, currency, amountBase, recipient }),
        ...plainFaults(transfer),
      ];
    }
    case "sweep":
    case "return":
      return withdrawalPaymentFaults(transfer, owner, known);
    case "deployment": {
      const { partnerId, chain, state } = owner.deployment;
      return [
        ...(state === "owed" ? [] : [`The deployment is ${state}`]),
        ...(transfer.amountBase === 0n && transfer.tokenAddress === null ? [] : ["A deployment moves no money"]),
        ...(chain === transfer.chain && partnerId === transfer.partnerId ? [] : ["The deployment is another partner's or chain's"]),
      ];
    }
    case "treasury_withdrawal":
      return treasuryWithdrawalFaults(transfer, owner.withdrawal, known);
  }
}

function settlementFaults(transfer: Transfer, owner: Extract<PaymentOwner, { purpose: "settlement" }>): string[] {
  const { settlement, kept, approvals, isConfirmed } = owner;
  const { status, approvalState, quote, destinationCurrency: currency, walletAddress: recipient } = settlement;
  const isApproved = approvalState === "approved";
  // An item of a batch is priced again without an approval, too: when its quote has run out.
  const isFirst = quote.version === 1 || settlement.batchId !== null;
  return [
    ...(status === "processing" ? [] : [`The settlement is ${status}`]),
    ...(isConfirmed ? [] : ["The audit log has no confirmation of it"]),
    ...(kept === null ? ["Its quote was not kept"] : keptFaults(settlement, kept)),
    ...(isApproved || (approvalState === null && isFirst && approvals.needed === 0) ? [] : ["It was never approved"]),
    ...(isApproved && approvals.given < approvals.needed ? [`It has ${approvals.given} approvals of ${approvals.needed}`] : []),
    ...differences(transfer, { ...settlement, currency, amountBase: quote.destinationAmountBase, recipient }),
    ...plainFaults(transfer),
  ];
}

/** The stored quote cannot change, so it proves the price. */
function keptFaults(settlement: Settlement, { quote, terms }: { quote: Quote; terms: PairTerms }): string[] {
  const inForce = settlement.quote;
  const same = quote.version === inForce.version && quote.destinationAmountBase === inForce.destinationAmountBase;
  return [...(same ? [] : ["Its amount is not that of the quote that was kept"]), ...quoteFaults(settlement, quote, terms)];
}

function withdrawalPaymentFaults(
  transfer: Transfer,
  { purpose, withdrawal, terms }: Extract<PaymentOwner, { purpose: "sweep" | "return" }>,
  { treasury }: OwnKnowledge,
): string[] {
  const { step, sourceCurrency: currency, sourceAmountBase: amountBase, safeAddress, treasuryAddress } = withdrawal;
  const isSweep = purpose === "sweep";
  const recipient = isSweep ? (treasuryAddress ?? "") : safeAddress;
  return [
    ...(step === (isSweep ? "sweeping" : "returning") ? [] : [`The withdrawal is ${step}`]),
    ...(isSweep && !treasury.some((own) => isSameAddress(own, recipient)) ? [`${recipient} is no wallet of the treasury`] : []),
    ...withdrawalFaults(withdrawal, terms),
    ...differences(transfer, { ...withdrawal, currency, amountBase, recipient }),
    ...(isSweep ? [] : plainFaults(transfer)),
  ];
}

/** It leaves the wallet that was named, and leaves the treasury. */
function treasuryWithdrawalFaults(transfer: Transfer, withdrawal: TreasuryWithdrawal, { treasury }: OwnKnowledge): string[] {
  const { state, walletAddress: wallet, recipient } = withdrawal;
  const sender = senderOf(transfer) ?? "any wallet";
  return [
    ...(state === "owed" ? [] : [`The treasury withdrawal is ${state}`]),
    ...(isSameAddress(sender, wallet) ? [] : [`It is paid by ${sender}, and ${wallet} must pay it`]),
    ...(treasury.some((own) => isSameAddress(own, wallet)) ? [] : [`${wallet} is no wallet of the treasury`]),
    ...(treasury.some((own) => isSameAddress(own, recipient)) ? [`${recipient} is a wallet of the treasury`] : []),
    ...differences(transfer, { ...withdrawal, partnerId: null }),
    ...plainFaults(transfer),
  ];
}

type Agreed = Pick<Transfer, "partnerId" | "chain" | "currency" | "tokenAddress" | "tokenDecimals" | "amountBase" | "recipient">;

function differences(transfer: Transfer, owed: Agreed): string[] {
  const pairs = {
    partner: [transfer.partnerId, owed.partnerId],
    chain: [transfer.chain, owed.chain],
    currency: [transfer.currency, owed.currency],
    token: [addressKey(transfer.tokenAddress ?? ""), addressKey(owed.tokenAddress ?? "")],
    decimals: [transfer.tokenDecimals, owed.tokenDecimals],
    amount: [transfer.amountBase, owed.amountBase],
    recipient: [addressKey(transfer.recipient), addressKey(owed.recipient)],
  };
  return Object.entries(pairs).flatMap(([name, [is, must]]) => (is === must ? [] : [`The ${name} is ${is}, and ${must} is owed`]));
}

function tokenFaults({ currency, tokenAddress, tokenDecimals }: Transfer, { tokens }: OwnKnowledge): string[] {
  const isKnown = tokens.some(
    (token) => token.currency === currency && token.decimals === tokenDecimals && isSameAddress(token.address ?? "", tokenAddress ?? ""),
  );
  return isKnown ? [] : [`The settings know no token ${currency} at ${tokenAddress ?? "the chain itself"} with ${tokenDecimals} decimals`];
}

/** A contract call in a plain payment's place would do something else than pay. */
function plainFaults({ call }: Transfer): string[] {
  return call === null ? [] : ["It is a contract call instead of a payment"];
}

function fillerFault({ call, recipient, amountBase }: Transfer, { treasury }: OwnKnowledge): string | null {
  const isEmpty =
    amountBase === 0n && call !== null && call.valueBase === 0n && call.data === "0x" && isSameAddress(call.to ?? "", recipient);
  return isEmpty && treasury.some((own) => isSameAddress(own, recipient)) ? null : "A filler moves nothing, from a wallet to itself.";
}

/** An allowance is for the packing contract, of a token of the settings, and moves nothing. */
function allowanceFault(
  { call, amountBase, recipient }: Transfer,
  { tokens, treasury, packingContract: contract }: OwnKnowledge,
): string | null {
  const { to, valueBase, data, sender } = call ?? { to: null, valueBase: 0n, data: "" };
  const token = tokens.find(({ address }) => address !== null && isSameAddress(address, to ?? ""))?.address ?? null;
  const isIt =
    contract !== null &&
    token !== null &&
    amountBase === 0n &&
    valueBase === 0n &&
    isSameAddress(recipient, contract) &&
    data === allowanceCall({ contract, token }).data &&
    treasury.some((own) => isSameAddress(own, sender ?? ""));
  return isIt ? null : "It is no allowance of a wallet of ours for the packing contract.";
}

/** What a sweep's Safe is to do: hand the withdrawal's crypto over to the treasury. */
export function sweepCall({ tokenAddress, sourceAmountBase, treasuryAddress }: Withdrawal): EvmIntent {
  const recipient = treasuryAddress ?? "";
  if (tokenAddress === null) return { to: recipient, valueBase: sourceAmountBase, data: "0x" };
  return tokenTransfer(tokenAddress, recipient, sourceAmountBase);
}

/** `execTransaction(…)` and `swapOwner(address,address,address)`. */
const EXECUTE = "0x6a761202";
const SWAP_OWNER = "e318b52b";

/**
 * Why a call does not do what a deployment is for; null where it does. `expected`: of a Safe or of any other contract, the calls that would
 * deploy it, each byte of them.
 */
export function deploymentFault(
  { kind, owners, address }: SafeDeployment,
  call: EvmIntent | null,
  expected: readonly EvmIntent[],
): string | null {
  if (call === null || call.valueBase !== 0n) return "A deployment is a call without money.";
  if (kind === "owner_swap") {
    const [from = "", to = ""] = owners ?? [];
    const isSwap = isSameAddress(call.to ?? "", address ?? "") && swapPattern(address ?? "", from, to).test(call.data.toLowerCase());
    return isSwap ? null : "The call does not swap the owner that was named.";
  }
  const isExpected = expected.some(({ to, data }) => isSameAddress(to ?? "", call.to ?? "") && data === call.data);
  if (isExpected) return null;
  return kind === "safe" ? "The call creates another Safe than the one that was asked for." : "The call deploys another contract.";
}

/** The Safe calls itself, once, without a refund. Only the owner before the swapped one, and the signatures, are open. */
function swapPattern(safe: string, from: string, to: string): RegExp {
  const none = word("");
  const call = [word(safe), none, word("140"), none, none, none, none, none, none, word("1e0"), word("64")].join("");
  const swap = `${SWAP_OWNER}0{24}[0-9a-f]{40}${word(from)}${word(to)}0{56}`;
  return new RegExp(`^${EXECUTE}${call}${swap}`);
}

function word(hex: string): string {
  return hex.toLowerCase().replace(/^0x/, "").padStart(64, "0");
}
