import { createHash } from "node:crypto";
import type { Transfer } from "./transfer.ts";

/** What a transaction does, whatever its nonce, fees and signature: the part that a fee bump may never change. */
export type EvmIntent = { to: string | null; valueBase: bigint; data: string };

/** `index`: its position among the logs of its block; omitted if unknown. */
export type EvmLog = { address: string; topics: readonly string[]; data: string; index?: number | undefined };

export const ZERO_ADDRESS = "0x0000000000000000000000000000000000000000";
/** `transfer(address,uint256)`. */
export const TRANSFER_SELECTOR = "0xa9059cbb";
/** `Transfer(address,address,uint256)`. */
export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** The transaction that fulfils a transfer: the call where one is given, else an ERC-20 transfer or a payment of the native coin. */
export function intentOf(transfer: Pick<Transfer, "call" | "tokenAddress" | "recipient" | "amountBase">): EvmIntent {
  if (transfer.call) return transfer.call;
  if (transfer.tokenAddress === null) return { to: transfer.recipient, valueBase: transfer.amountBase, data: "0x" };
  return tokenTransfer(transfer.tokenAddress, transfer.recipient, transfer.amountBase);
}

/** An ERC-20 `transfer` by anyone who makes the call. */
export function tokenTransfer(token: string, recipient: string, amountBase: bigint): EvmIntent {
  return { to: token, valueBase: 0n, data: `${TRANSFER_SELECTOR}${addressWord(recipient)}${word(amountBase)}` };
}

/** Amount and recipient of an ERC-20 `transfer`; null for any other call. */
export function tokenTransferIn({ to, data }: EvmIntent): { token: string; recipient: string; amountBase: bigint } | null {
  const read = new RegExp(`^${TRANSFER_SELECTOR}0{24}([0-9a-f]{40})([0-9a-f]{64})$`).exec(data.toLowerCase());
  if (to === null || read === null) return null;
  const [, recipient = "", amount = ""] = read;
  return { token: to, recipient: `0x${recipient}`, amountBase: BigInt(`0x${amount}`) };
}

/** Spends a nonce on nothing: what an operator's cancel sends in the payment's place. */
export function cancellationOf(sender: string): EvmIntent {
  return { to: sender, valueBase: 0n, data: "0x" };
}

/** A canonical hash (SHA-256) of chain, sender and intent. Stored with the nonce, and equal for every attempt at it. */
export function intentHash(chain: string, sender: string, intent: EvmIntent): string {
  const parts = [chain, sender, intent.to ?? "", intent.valueBase.toString(), intent.data];
  return createHash("sha256").update(parts.join("\n").toLowerCase()).digest("hex");
}

/** Why no transfer may ever be sent there; null when nothing is wrong. The contract's checks come first, this is the last line. */
export function recipientFault(transfer: Transfer, treasury: readonly string[]): string | null {
  const recipient = transfer.recipient.toLowerCase();
  if (transfer.call) return null;
  if (recipient === ZERO_ADDRESS) return "The recipient is the zero address: the funds would be lost.";
  if (recipient === transfer.tokenAddress?.toLowerCase()) return "The recipient is the token's own contract: the funds would be lost.";
  if (transfer.purpose === "settlement" && treasury.some((address) => address.toLowerCase() === recipient)) {
    return "The recipient is the service's own treasury.";
  }
  return null;
}

/** Whether a succeeded transaction's logs show that the token moved this very amount to this very recipient. */
export function showsPayment(logs: readonly EvmLog[], transfer: Transfer): boolean {
  return findPayments(logs, transfer).length > 0;
}

/** The positions of the payment's logs among a successful transaction's own logs, from 0. */
export function findPayments(logs: readonly EvmLog[], transfer: Transfer): number[] {
  const token = transfer.tokenAddress?.toLowerCase();
  const recipient = `0x${addressWord(transfer.recipient)}`;
  const amount = `0x${word(transfer.amountBase)}`;
  return logs.flatMap((log, place) => {
    const is =
      log.address.toLowerCase() === token &&
      log.topics[0]?.toLowerCase() === TRANSFER_TOPIC &&
      log.topics[2]?.toLowerCase() === recipient &&
      log.data.toLowerCase() === amount;
    return is ? [place] : [];
  });
}

/** The transfers that the token at that address logged in a succeeded transaction. Addresses in lower case. */
export function tokenMovesIn(logs: readonly EvmLog[], token: string): { from: string; to: string; amountBase: bigint }[] {
  return logs.flatMap((log) => (log.address.toLowerCase() === token.toLowerCase() ? (tokenMoveIn(log) ?? []) : []));
}

/** The transfer that a token logged; null for any other event. Addresses in lower case. */
export function tokenMoveIn({ topics: [topic, from, to], data }: EvmLog): { from: string; to: string; amountBase: bigint } | null {
  if (topic?.toLowerCase() !== TRANSFER_TOPIC || from === undefined || to === undefined || !/^0x[0-9a-f]{64}$/i.test(data)) return null;
  return { from: addressIn(from), to: addressIn(to), amountBase: BigInt(data) };
}

function addressIn(topic: string): string {
  return `0x${topic.slice(-40).toLowerCase()}`;
}

function addressWord(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, "0");
}

function word(value: bigint): string {
  return value.toString(16).padStart(64, "0");
}
