import { address, getPublicKeyFromAddress, getSignatureFromTransaction, type SignatureBytes, verifySignature } from "@solana/kit";
import type { UnsignedPayment } from "#domain/lapsing-chain.ts";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";
import { transactionFee } from "#domain/solana-fees.ts";
import { Rejected } from "#server/ports.ts";
import { buildPayment, readWire, termsOf, toBytes } from "./payment-bytes.ts";

/**
 * Whether bytes to sign pay exactly their intent, and cost at most what they say: everything is built again from the intent, and compared.
 * Only the blockhash, limit and price are taken from them. @throws Rejected
 */
export async function checkUnsigned({ intent, bytes, feeAtMost }: UnsignedPayment): Promise<void> {
  const terms = termsOf(bytes);
  const isToken = terms.tokenProgram === SOLANA_PROGRAMS.token || terms.tokenProgram === SOLANA_PROGRAMS.token2022;
  if (isToken !== (intent.token !== null)) throw new Rejected("the bytes use another program than the one of their token");
  if (toBytes(await buildPayment(intent, terms)) !== bytes) throw new Rejected("the bytes do something else than to pay what they are for");
  const fee = transactionFee(terms.units, terms.price);
  if (feeAtMost.token !== null || fee > feeAtMost.amountBase) throw new Rejected("the bytes offer a higher fee than they say");
}

/**
 * Whether signed bytes are exactly what was to be signed, with one signature, of the sender. A signer is another machine: bytes that it changed
 * must never reach the network.
 *
 * @returns the signature, which is the payment's id on the chain. @throws Rejected
 */
export async function checkSigned(raw: string, unsigned: UnsignedPayment): Promise<string> {
  await checkUnsigned(unsigned);
  const transaction = readWire(raw);
  if (toBytes(transaction) !== unsigned.bytes) throw new Rejected("the signer answered with other bytes than it was asked to sign");
  const signatures = Object.entries(transaction.signatures);
  const signature = transaction.signatures[address(unsigned.intent.sender)];
  if (signatures.length !== 1 || !signature) throw new Rejected("the signer answered without the sender's signature");
  const key = await getPublicKeyFromAddress(address(unsigned.intent.sender));
  if (!(await verifySignature(key, signature as SignatureBytes, transaction.messageBytes)))
    throw new Rejected("the signature is not the sender's");
  return getSignatureFromTransaction(transaction);
}
