import { getAddressDecoder } from "@solana/kit";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";
import type { MintPower } from "#domain/solana-mint.ts";
import type { Account } from "./answers.ts";

/** `accountBytes`: how long an account for it is, which decides the rent. */
export type Mint = { tokenProgram: string; decimals: number; accountBytes: number };
export type MintVerdict = { mint: Mint } | { fault: string };

const MINT_BYTES = 82;
/** A mint with extensions: padded to a token account's length, then its kind, then type, length and data of each. */
const KIND_AT = 165;
const OF_MINT = 1;
const IMMUTABLE_OWNER_BYTES = 4;
const [FREEZE_AUTHORITY_AT, DECIMALS_AT, IS_INITIALISED_AT] = [46, 44, 45];

/** Extensions of a mint that change nothing about a transfer, with the bytes that each adds to an account. */
const HARMLESS: ReadonlyMap<number, number> = new Map([
  [3, 0], // who may close it, once nothing is left
  [4, 0], // confidential transfers, which people choose
  [16, 0], // fees of confidential transfers
  [18, 0], // metadata
  [19, 0],
  [20, 0], // groups
  [21, 0],
  [22, 0],
  [23, 0],
  [24, 0],
]);

/**
 * Whether payments may be made in a mint, by its account. Whatever an issuer could do to a payment on its way, or to the treasury's tokens, is refused
 * unless the operator accepts it. A kind of extension that is not known here is refused.
 */
export function judgeMint(account: Account | null, accepted: readonly MintPower[], decimals: number): MintVerdict {
  const { token, token2022 } = SOLANA_PROGRAMS;
  if (account === null) return { fault: "there is no mint at the token's address" };
  const { data, owner } = account;
  const isMint = data.length === MINT_BYTES || (owner === token2022 && data.length > KIND_AT && data[KIND_AT] === OF_MINT);
  if ((owner !== token && owner !== token2022) || !isMint || data[IS_INITIALISED_AT] !== 1)
    return { fault: "the token's address is not a mint" };
  if (data[DECIMALS_AT] !== decimals) return { fault: `the mint has ${data[DECIMALS_AT]} decimals, not ${decimals}` };
  const refused = (power: MintPower, what: string) =>
    accepted.includes(power) ? null : `the token's issuer ${what}, which is not accepted (${power})`;
  if (data[FREEZE_AUTHORITY_AT] === 1) {
    const fault = refused("freeze_authority", "can freeze accounts");
    if (fault !== null) return { fault };
  }
  let accountBytes = owner === token2022 ? KIND_AT + 1 + IMMUTABLE_OWNER_BYTES : KIND_AT;
  for (const { type, value } of extensionsOf(data)) {
    const verdict = judgeExtension(type, value, refused);
    if ("fault" in verdict) return verdict;
    accountBytes += verdict.bytes;
  }
  return { mint: { tokenProgram: owner, decimals, accountBytes } };
}

type Refuse = (power: MintPower, what: string) => string | null;

function judgeExtension(type: number, value: Uint8Array, refused: Refuse): { fault: string } | { bytes: number } {
  const orFault = (fault: string | null, bytes: number) => (fault === null ? { bytes } : { fault });
  switch (type) {
    case 1:
      // Two fees, by epoch, each 18 bytes: epoch, most, hundredths of a per cent.
      if (value.subarray(88, 90).some(isSet) || value.subarray(106, 108).some(isSet))
        return { fault: "the token takes a fee from each transfer, so a recipient would get too little" };
      return orFault(refused("transfer_fee", "can take a fee from each transfer"), 12);
    case 6:
      return value[0] === 2 ? { fault: "new accounts of the token are frozen" } : { bytes: 0 };
    case 9:
      return { fault: "the token cannot be transferred" };
    case 12:
      return value.some(isSet) ? orFault(refused("permanent_delegate", "can take tokens out of every account"), 0) : { bytes: 0 };
    case 14:
      if (value.subarray(32, 64).some(isSet))
        return { fault: `the token calls the program ${keyAt(value, 32)} in each transfer, which is not supported` };
      return orFault(refused("transfer_hook", "can put a program into each transfer"), 5);
    case 26:
      return value[32] === 1 ? { fault: "the token is paused" } : orFault(refused("pausable", "can pause all transfers"), 4);
    default: {
      const bytes = HARMLESS.get(type);
      return bytes === undefined ? { fault: `the mint has the extension ${type}, which is not supported` } : { bytes };
    }
  }
}

function* extensionsOf(data: Uint8Array): Generator<{ type: number; value: Uint8Array }> {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  for (let at = KIND_AT + 1; at + 4 <= data.length; ) {
    const [type, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    if (type === 0) return;
    yield { type, value: data.subarray(at + 4, at + 4 + length) };
    at += 4 + length;
  }
}

const isSet = (byte: number) => byte !== 0;
const keyAt = (bytes: Uint8Array, at: number) => getAddressDecoder().decode(bytes.subarray(at, at + 32));
