import { keccak256, parseTransaction, recoverTransactionAddress } from "viem";
import { z } from "zod";

/** Selector, recipient and amount of an ERC-20 token's `transfer`. */
const TOKEN_TRANSFER = /^0xa9059cbb0{24}([0-9a-f]{40})[0-9a-f]{64}$/;
const Raw = z.templateLiteral(["0x02", z.string().regex(/^[0-9a-f]+$/)]);

/** A payment as it was sent; addresses in small letters. */
export type SentPayment = { hash: string; sender: string; nonce: number; recipient: string };

/** null: it is not a payment, or not of the kind that the service signs (EIP-1559). */
export async function readPayment(raw: unknown): Promise<SentPayment | null> {
  const bytes = Raw.safeParse(raw);
  if (!bytes.success) return null;
  const { to, data, nonce } = parseTransaction(bytes.data);
  const recipient = data === undefined ? to : TOKEN_TRANSFER.exec(data)?.[1];
  if (recipient === undefined || recipient === null) return null;
  const sender = await recoverTransactionAddress({ serializedTransaction: bytes.data });
  return { hash: keccak256(bytes.data), sender: sender.toLowerCase(), nonce: nonce ?? 0, recipient: recipient.toLowerCase() };
}
