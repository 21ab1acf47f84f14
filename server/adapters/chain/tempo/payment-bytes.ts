import {
  type Address,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  keccak256,
  maxUint256,
  pad,
  parseAbi,
  recoverAddress,
  serializeSignature,
  stringToHex,
} from "viem";
import { Transaction } from "viem/tempo";
import { z } from "zod";
import { type LapsingIntent, type LapsingMember, membersIn, type UnsignedPayment } from "#domain/lapsing-chain.ts";
import { Rejected } from "#server/ports.ts";

/** Each payment has a nonce of its own, which no block uses twice and none uses after `validBefore`. */
const EXPIRING = maxUint256;
const ABI = parseAbi(["function transferWithMemo(address to, uint256 amount, bytes32 memo)"]);
const MEMO_BYTES = 32;
/** Gas is priced in attodollars, and a token of a dollar has six decimals. */
const ATTO_PER_BASE = 10n ** 12n;

/** What decides about a payment besides what it pays. `validBefore`: in seconds; the first time at which no block includes it. */
export type TempoTerms = { chainId: number; gas: bigint; maxFeePerGas: bigint; feeToken: string; validBefore: number };

/** The reference as the recipient reads it in the token's event: its bytes, then zeros. @throws Rejected where it is too long */
export function memoOf(reference: string): Hex {
  const memo = stringToHex(reference);
  if ((memo.length - 2) / 2 > MEMO_BYTES || reference === "")
    throw new Rejected(`the reference ${reference} has no place in a memo of ${MEMO_BYTES} bytes`);
  return pad(memo, { size: MEMO_BYTES, dir: "right" });
}

/** A call for each payment of the intent, in their order: the network makes all of them, or none. @throws Rejected for the coin, which Tempo does not have */
export function callsOf(intent: LapsingIntent): { to: Hex; data: Hex }[] {
  return membersIn(intent).map((member) => callOf({ token: intent.token, ...member }));
}

/** The call that makes one payment. @throws Rejected for the coin, which Tempo does not have */
export function callOf({ token, recipient, amountBase, reference }: LapsingMember & Pick<LapsingIntent, "token">): { to: Hex; data: Hex } {
  if (token === null) throw new Rejected("there is no coin on Tempo");
  const args = [recipient.toLowerCase() as Address, amountBase, memoOf(reference)] as const;
  return { to: token.toLowerCase() as Hex, data: encodeFunctionData({ abi: ABI, functionName: "transferWithMemo", args }) };
}

/** The bytes to sign. */
export async function encodePayment(
  intent: LapsingIntent,
  { chainId, gas, maxFeePerGas, feeToken, validBefore }: TempoTerms,
): Promise<Hex> {
  return await serialized({
    type: "tempo",
    chainId,
    calls: callsOf(intent).map(({ to, data }) => ({ to, data, value: 0n })),
    nonceKey: EXPIRING,
    nonce: 0,
    validBefore,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas: 0n,
    feeToken: feeToken.toLowerCase() as Address,
  });
}

/** What a fee of this many attodollars takes at most, in the fee token: it is rounded up. */
export function feeBaseOf(gas: bigint, pricePerGas: bigint): bigint {
  return (gas * pricePerGas + ATTO_PER_BASE - 1n) / ATTO_PER_BASE;
}

const Decoded = z.object({
  chainId: z.number(),
  feeToken: z.string(),
  gas: z.bigint(),
  maxFeePerGas: z.bigint(),
  validBefore: z.number(),
  calls: z.array(z.object({ to: z.string(), data: z.string() })).min(1),
});

/** What the calls of a transaction pay. */
export type TempoPayment = { token: string; recipient: string; amountBase: bigint };

/** The terms of bytes that this module made, and whom they pay, call by call. @throws Rejected for any other bytes */
export function decodePayment(bytes: string): TempoTerms & { payments: TempoPayment[] } {
  try {
    const { calls, ...terms } = Decoded.parse(Transaction.deserialize(bytes as never));
    const payments = calls.map(({ to: token, data }) => {
      const { args } = decodeFunctionData({ abi: ABI, data: data as Hex });
      return { token, recipient: args[0], amountBase: args[1] };
    });
    return { ...terms, payments };
  } catch (error) {
    throw new Rejected(`these are not the bytes of a payment on Tempo: ${error instanceof Error ? error.message : error}`);
  }
}

/** Signed bytes: the same fields, and the signature of their hash. */
export async function withSignature(bytes: string, signature: Hex): Promise<Hex> {
  const fields = Transaction.deserialize(bytes as never) as object;
  return (await Transaction.serialize(fields as never, parsed(signature) as never)) as Hex;
}

const hashToSign = (bytes: string) => keccak256(bytes as Hex);

export { hashToSign };

const Signed = z.object({
  signature: z.object({
    signature: z.object({ r: z.union([z.bigint(), z.string()]), s: z.union([z.bigint(), z.string()]), yParity: z.number() }),
  }),
});

/**
 * Compares signed bytes with what was to be signed: every field, the intent, and who signed it. @returns the payment's id
 * @throws Rejected when anything differs
 */
export async function checkSigned(raw: string, unsigned: UnsignedPayment): Promise<string> {
  const { intent, bytes, expiry, feeAtMost } = unsigned;
  const terms = decodePayment(bytes);
  if ((await encodePayment(intent, terms)) !== bytes) throw new Rejected("the bytes do something else than the payment");
  if (expiry.by !== "time" || expiry.last.getTime() !== terms.validBefore * 1_000) throw new Rejected("the bytes have another expiry");
  const most = feeBaseOf(terms.gas, terms.maxFeePerGas);
  if (feeAtMost.token?.toLowerCase() !== terms.feeToken.toLowerCase() || feeAtMost.amountBase < most)
    throw new Rejected("the bytes allow another fee");
  const signature = signatureIn(raw);
  // Made again from the fields and the signature alone: nothing else is in the bytes.
  if ((await withSignature(bytes, signature)) !== raw) throw new Rejected("signed something else");
  const signer = await recoverAddress({ hash: hashToSign(bytes), signature });
  if (signer.toLowerCase() !== intent.sender.toLowerCase()) throw new Rejected(`signed by ${signer}, not by ${intent.sender}`);
  return keccak256(raw as Hex);
}

function signatureIn(raw: string): Hex {
  try {
    const { r, s, yParity } = Signed.parse(Transaction.deserialize(raw as never)).signature.signature;
    return serializeSignature({ r: wordOf(r), s: wordOf(s), yParity });
  } catch (error) {
    throw new Rejected(`not signed by one key: ${error instanceof Error ? error.message : error}`);
  }
}

const wordOf = (value: bigint | string): Hex => pad(`0x${BigInt(value).toString(16)}`, { size: 32 });

function parsed(signature: Hex): { r: Hex; s: Hex; yParity: number } {
  const last = Number.parseInt(signature.slice(-2), 16);
  return { r: signature.slice(0, 66) as Hex, s: `0x${signature.slice(66, 130)}`, yParity: last >= 27 ? last - 27 : last };
}

const serialized = async (fields: object) => (await Transaction.serialize(fields as never)) as Hex;
