import { getAddressDecoder } from "@solana/kit";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";
import type { Account } from "./answers.ts";

/** A token account without extensions; with some it is longer, and its kind follows. */
const TOKEN_ACCOUNT_BYTES = 165;
const OF_ACCOUNT = 2;
const MINT_BYTES = 82;
const [AMOUNT_AT, STATE_AT] = [64, 108];
const FROZEN = 2;

/** What a token account says; null for any other account. */
export type Holding = { mint: string; owner: string; amountBase: bigint; isFrozen: boolean };

export function holdingIn(account: Account | null): Holding | null {
  if (account === null || !isOfTokenProgram(account)) return null;
  const { data } = account;
  if (data.length !== TOKEN_ACCOUNT_BYTES && !(data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] === OF_ACCOUNT)) return null;
  const key = (at: number) => getAddressDecoder().decode(data.subarray(at, at + 32));
  const amountBase = new DataView(data.buffer, data.byteOffset, data.length).getBigUint64(AMOUNT_AT, true);
  return { mint: key(0), owner: key(32), amountBase, isFrozen: data[STATE_AT] === FROZEN };
}

/** Why a recipient cannot be paid, by what the chain has at its address and at its account for the token; null when it can. */
export function faultOfRecipient(recipient: string, wallet: Account | null, account: Account | null): string | null {
  const kind = kindOf(wallet);
  if (kind !== null) return `The recipient's address is ${kind}, not a wallet.`;
  if (account === null || account.owner === SOLANA_PROGRAMS.system) return null;
  const holding = holdingIn(account);
  if (holding === null || holding.owner !== recipient) return "The recipient's account for the token belongs to somebody else.";
  return holding.isFrozen ? "The recipient's account is frozen by the token's issuer." : null;
}

/** Why the treasury cannot pay just now; null when it can. */
export function faultOfSender(account: Account | null, amountBase: bigint): string | null {
  const holding = holdingIn(account);
  if (holding === null || holding.amountBase < amountBase) return "The treasury holds too little of the token.";
  return holding.isFrozen ? "The treasury's account is frozen by the token's issuer." : null;
}

/** What is at an address that is not a wallet; null where it is one, or where nothing is yet. */
function kindOf(account: Account | null): string | null {
  if (account === null || account.owner === SOLANA_PROGRAMS.system) return account?.executable ? "a program" : null;
  if (account.executable) return "a program";
  if (!isOfTokenProgram(account)) return "an account of a program";
  return account.data.length === MINT_BYTES || account.data[TOKEN_ACCOUNT_BYTES] === 1 ? "a mint" : "a token account";
}

function isOfTokenProgram({ owner }: Account): boolean {
  return owner === SOLANA_PROGRAMS.token || owner === SOLANA_PROGRAMS.token2022;
}
