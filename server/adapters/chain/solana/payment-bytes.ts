import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Instruction,
  isBlockhash,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from "@solana/kit";
import { type LapsingIntent, type LapsingMember, membersIn } from "#domain/lapsing-chain.ts";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";
import { Rejected } from "#server/ports.ts";
import { associatedAccount, createAccount, limitUnits, memo, priceUnits, transferCoin, transferToken } from "./instructions.ts";
import { MOST_BYTES } from "./packing.ts";

/** What a payment's bytes say besides its intent. `tokenProgram` null: it pays in the coin. */
export type PaymentTerms = { blockhash: string; units: number; price: bigint; tokenProgram: string | null; decimals: number };

/** The instructions of a payment, in their order: limit, price, the recipient's account (not for the coin), reference, transfer. */
export const CREATE_AT = 2;
/** So many instructions of each payment, where a transaction makes several. */
export const PER_PAYMENT = 3;
/**
 * The transaction that pays an intent: its signature is still empty. Each recipient's token account is created with it, and the reference comes
 * right before the transfer, as accounts that demand a memo want it. Several payments follow one another: the cluster makes all of them, or
 * none. The same intent and terms always give the same bytes.
 *
 * @throws Rejected where that is no payment
 */
export async function buildPayment(intent: LapsingIntent, terms: PaymentTerms): Promise<Transaction> {
  const transfer = await transfersOf(intent, terms);
  const sender = keyOf(intent.sender);
  const blockhash = terms.blockhash;
  if (!isBlockhash(blockhash)) throw new Rejected("the node named something as its blockhash that is none");
  const transaction = compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(sender, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n }, message),
      (message) => appendTransactionMessageInstructions([limitUnits(terms.units), priceUnits(terms.price), ...transfer], message),
    ),
  );
  if (wireOf(transaction).length > (MOST_BYTES * 4) / 3 + 4)
    throw new Rejected("the payment does not fit into a transaction: its reference is too long, or its payments are too many");
  return transaction;
}

async function transfersOf(intent: LapsingIntent, terms: PaymentTerms): Promise<Instruction[]> {
  if (intent.members !== undefined && intent.token === null) throw new Rejected("payments of the coin have a transaction each");
  return (await Promise.all(membersIn(intent).map((member) => transferOf(intent, member, terms)))).flat();
}

async function transferOf(
  { sender, token }: LapsingIntent,
  { recipient, amountBase, reference }: LapsingMember,
  terms: PaymentTerms,
): Promise<Instruction[]> {
  const [payer, owner] = [keyOf(sender), keyOf(recipient)];
  if (amountBase <= 0n || amountBase >= 2n ** 64n) throw new Rejected("the amount is none that a Solana transaction can move");
  if (token === null) return [memo(reference), transferCoin({ sender: payer, recipient: owner, amountBase })];
  if (terms.tokenProgram === null) throw new Rejected("the token's program is not known");
  const place = { mint: keyOf(token), tokenProgram: keyOf(terms.tokenProgram), decimals: terms.decimals };
  const [from, to] = await Promise.all([associatedAccount(payer, place), associatedAccount(owner, place)]);
  return [
    createAccount(place, { payer, owner, account: to }),
    memo(reference),
    transferToken(place, { from, to, owner: payer, amountBase }),
  ];
}

/** The bytes that a key signs, in base 64. */
export function toBytes({ messageBytes }: Transaction): string {
  return Buffer.from(messageBytes).toString("base64");
}

/** The transaction of unsigned bytes, for a node that plays it: its signature is empty. */
export function wireOfBytes(bytes: string): string {
  return Buffer.concat([Buffer.of(1), Buffer.alloc(64), Buffer.from(bytes, "base64")]).toString("base64");
}

export function wireOf(transaction: Transaction): string {
  return getBase64EncodedWireTransaction(transaction);
}

/** @throws Rejected for anything but a transaction */
export function readWire(raw: string): Transaction {
  try {
    return getTransactionDecoder().decode(Buffer.from(raw, "base64"));
  } catch (error) {
    throw new Rejected("these bytes are no transaction of Solana", { cause: error });
  }
}

/** What unsigned bytes say besides their intent. Whether they pay it, only {@link buildPayment} shows. @throws Rejected */
export function termsOf(bytes: string): PaymentTerms {
  try {
    const message = getCompiledTransactionMessageDecoder().decode(Buffer.from(bytes, "base64"));
    if (message.version !== 0) throw new Error("another version");
    const { instructions, lifetimeConstraint } = decompileTransactionMessage(message);
    const [limit, price] = instructions;
    const transfer = instructions.at(-1);
    if (limit?.data?.[0] !== 2 || price?.data?.[0] !== 3 || !transfer?.data || !("blockhash" in lifetimeConstraint))
      throw new Error("another order");
    const isCoin = transfer.programAddress === SOLANA_PROGRAMS.system;
    return {
      blockhash: lifetimeConstraint.blockhash,
      units: Buffer.from(limit.data).readUInt32LE(1),
      price: Buffer.from(price.data).readBigUInt64LE(1),
      tokenProgram: isCoin ? null : transfer.programAddress,
      decimals: isCoin ? 9 : (transfer.data[9] ?? 0),
    };
  } catch (error) {
    throw new Rejected("these bytes are no payment of this service", { cause: error });
  }
}

/** The memos in unsigned bytes, in their order, of anybody. */
export function memosIn(bytes: string): string[] {
  const message = getCompiledTransactionMessageDecoder().decode(Buffer.from(bytes, "base64"));
  if (!("instructions" in message)) return [];
  const { instructions, staticAccounts } = message;
  return instructions.flatMap(({ programAddressIndex, data }) =>
    staticAccounts[programAddressIndex] === SOLANA_PROGRAMS.memo ? [Buffer.from(data ?? []).toString("utf8")] : [],
  );
}

function keyOf(text: string): Address {
  try {
    return address(text);
  } catch {
    throw new Rejected(`${text} is no address of Solana`);
  }
}
