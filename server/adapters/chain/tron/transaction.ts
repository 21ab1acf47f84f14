import { createHash } from "node:crypto";
import { TRANSFER_SELECTOR } from "#domain/evm-intent.ts";
import { hexOfTron, tronOfHex } from "#domain/tron-address.ts";
import { decodeMessage, encodeMessage, type Field } from "./protobuf.ts";

/** A TRC-20 transfer before its signature. Addresses in base58check, times in milliseconds, amounts in base units, the limit in sun. */
export type TronTransfer = {
  owner: string;
  token: string;
  recipient: string;
  amountBase: bigint;
  /** The reference block (TAPOS): the bytes are valid only on a chain that has it among its last 65,536 blocks. */
  refBlock: TronBlockId;
  timestamp: number;
  expiration: number;
  feeLimitSun: bigint;
  /** A text that anyone can read on the chain; empty: none. */
  memo: string;
};
export type TronBlockId = { height: number; hash: string };

/** `TriggerSmartContract` among the kinds of contracts of Tron's protocol. */
const TRIGGER_SMART_CONTRACT = 31n;
const TYPE_URL = Buffer.from("type.googleapis.com/protocol.TriggerSmartContract");

/** The bytes that are signed: `Transaction.raw` of Tron's protocol, with its fields in the order of their numbers. */
export function encodeRaw(transfer: TronTransfer): Uint8Array {
  const { refBlock, memo } = transfer;
  const call = encodeMessage([
    { number: 1, value: addressBytes(transfer.owner) },
    { number: 2, value: addressBytes(transfer.token) },
    { number: 4, value: bytesOf(transferCall(transfer)) },
  ]);
  const parameter = encodeMessage([
    { number: 1, value: TYPE_URL },
    { number: 2, value: call },
  ]);
  const contract = encodeMessage([
    { number: 1, value: TRIGGER_SMART_CONTRACT },
    { number: 2, value: parameter },
  ]);
  const fields: Field[] = [
    { number: 1, value: bytesOf(refBlock.height.toString(16).padStart(16, "0").slice(-4)) },
    { number: 4, value: bytesOf(refBlock.hash.slice(16, 32)) },
    { number: 8, value: BigInt(transfer.expiration) },
    ...(memo === "" ? [] : [{ number: 10, value: Buffer.from(memo, "utf8") }]),
    { number: 11, value: contract },
    { number: 14, value: BigInt(transfer.timestamp) },
    ...(transfer.feeLimitSun === 0n ? [] : [{ number: 18, value: transfer.feeLimitSun }]),
  ];
  return encodeMessage(fields);
}

/** The call of the token, as a contract reads it: hexadecimal, without `0x`. */
export function transferCall({ recipient, amountBase }: Pick<TronTransfer, "recipient" | "amountBase">): string {
  return `${TRANSFER_SELECTOR.slice(2)}${hexOfTron(recipient).slice(2).padStart(64, "0")}${amountBase.toString(16).padStart(64, "0")}`;
}

/** A transaction's id: SHA-256 of the bytes that are signed. */
export function idOf(raw: Uint8Array): string {
  return createHash("sha256").update(raw).digest("hex");
}

/** What is sent: the signed bytes and their signature (`r`, `s`, recovery), in hexadecimal. */
export function encodeSigned(raw: Uint8Array, signature: Uint8Array): string {
  return Buffer.from(
    encodeMessage([
      { number: 1, value: raw },
      { number: 2, value: signature },
    ]),
  ).toString("hex");
}

/**
 * Reads back what was encoded. The reference block shows only its last bytes there (`height` modulo 65,536, `hash` without its height).
 * @throws Error for every other transaction, also for one that has a field more
 */
export function decodeRaw(raw: Uint8Array): TronTransfer {
  const outer = fieldsOf(raw);
  const call = fieldsOf(bytesIn(fieldsOf(bytesIn(fieldsOf(bytesIn(outer, 11)), 2)), 2));
  const data = hexIn(call, 4);
  const transfer: TronTransfer = {
    owner: tronOfHex(hexIn(call, 1).slice(2)),
    token: tronOfHex(hexIn(call, 2).slice(2)),
    recipient: tronOfHex(data.slice(32, 72)),
    amountBase: BigInt(`0x${data.slice(72)}`),
    refBlock: { height: Number.parseInt(hexIn(outer, 1), 16), hash: `${"0".repeat(16)}${hexIn(outer, 4)}` },
    expiration: Number(numberIn(outer, 8)),
    timestamp: Number(numberIn(outer, 14)),
    feeLimitSun: numberIn(outer, 18),
    memo: Buffer.from(outer.get(10) === undefined ? [] : bytesIn(outer, 10)).toString("utf8"),
  };
  if (Buffer.compare(encodeRaw(transfer), raw) !== 0) throw new Error("the bytes are another transaction than a plain transfer of a token");
  return transfer;
}

type Fields = ReadonlyMap<number, Field["value"]>;

function fieldsOf(bytes: Uint8Array): Fields {
  return new Map(decodeMessage(bytes).map(({ number, value }) => [number, value]));
}

function bytesIn(fields: Fields, number: number): Uint8Array {
  const value = fields.get(number);
  if (value === undefined || typeof value === "bigint") throw new Error(`the bytes have no field ${number}`);
  return value;
}

function hexIn(fields: Fields, number: number): string {
  return Buffer.from(bytesIn(fields, number)).toString("hex");
}

function numberIn(fields: Fields, number: number): bigint {
  const value = fields.get(number) ?? 0n;
  if (typeof value !== "bigint") throw new Error(`field ${number} of the bytes is no number`);
  return value;
}

/** The parts of what is sent. @throws Error for anything but one message with one signature */
export function decodeSigned(signed: string): { raw: Uint8Array; signature: Uint8Array } {
  if (!/^([0-9a-f]{2})+$/.test(signed)) throw new Error("the bytes are not hexadecimal");
  const [raw, signature, ...rest] = decodeMessage(bytesOf(signed));
  if (raw?.number !== 1 || typeof raw.value === "bigint") throw new Error("the bytes contain nothing that was signed");
  if (signature?.number !== 2 || typeof signature.value === "bigint") throw new Error("the bytes contain no signature");
  if (rest.length > 0) throw new Error("the bytes contain more than one signature");
  return { raw: raw.value, signature: signature.value };
}

/** The 21 bytes of an address. */
function addressBytes(address: string): Uint8Array {
  return bytesOf(`41${hexOfTron(address).slice(2)}`);
}

function bytesOf(hex: string): Uint8Array {
  return Buffer.from(hex, "hex");
}
