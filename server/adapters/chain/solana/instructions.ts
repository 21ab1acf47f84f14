import { AccountRole, type Address, getAddressEncoder, getProgramDerivedAddress, type Instruction } from "@solana/kit";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";

const program = (name: keyof typeof SOLANA_PROGRAMS) => SOLANA_PROGRAMS[name] as Address;

/** Names the most compute units that a transaction may use. */
export function limitUnits(units: number): Instruction {
  return { programAddress: program("computeBudget"), data: packed([2], [units, 4]) };
}

/** Names the price of a compute unit, in millionths of a lamport. */
export function priceUnits(price: bigint): Instruction {
  return { programAddress: program("computeBudget"), data: packed([3], [price, 8]) };
}

/** A text that the transaction carries. */
export function memo(text: string): Instruction {
  return { programAddress: program("memo"), data: new TextEncoder().encode(text) };
}

/** Moves lamports. */
export function transferCoin({ sender, recipient, amountBase }: { sender: Address; recipient: Address; amountBase: bigint }): Instruction {
  return {
    programAddress: program("system"),
    accounts: [
      { address: sender, role: AccountRole.WRITABLE_SIGNER },
      { address: recipient, role: AccountRole.WRITABLE },
    ],
    data: packed([2, 0, 0, 0], [amountBase, 8]),
  };
}

/** A token's place: its mint, and the program that governs it. */
export type TokenPlace = { mint: Address; tokenProgram: Address; decimals: number };

/** Creates an owner's associated token account, and does nothing where there is one that is the owner's. It fails where it is another's. */
export function createAccount(
  token: TokenPlace,
  { payer, owner, account }: { payer: Address; owner: Address; account: Address },
): Instruction {
  return {
    programAddress: program("associatedToken"),
    accounts: [
      { address: payer, role: AccountRole.WRITABLE_SIGNER },
      { address: account, role: AccountRole.WRITABLE },
      { address: owner, role: AccountRole.READONLY },
      { address: token.mint, role: AccountRole.READONLY },
      { address: program("system"), role: AccountRole.READONLY },
      { address: token.tokenProgram, role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(1),
  };
}

type TokenTransfer = { from: Address; to: Address; owner: Address; amountBase: bigint };
/** Moves tokens. The program compares mint and decimals (`TransferChecked`). */
export function transferToken(token: TokenPlace, { from, to, owner, amountBase }: TokenTransfer): Instruction {
  return {
    programAddress: token.tokenProgram,
    accounts: [
      { address: from, role: AccountRole.WRITABLE },
      { address: token.mint, role: AccountRole.READONLY },
      { address: to, role: AccountRole.WRITABLE },
      { address: owner, role: AccountRole.READONLY_SIGNER },
    ],
    data: packed([12], [amountBase, 8], [token.decimals, 1]),
  };
}

/** The one account of an owner for a token that everybody can derive. */
export async function associatedAccount(owner: Address, { mint, tokenProgram }: Omit<TokenPlace, "decimals">): Promise<Address> {
  const seeds = [owner, tokenProgram, mint].map((address) => getAddressEncoder().encode(address));
  const [account] = await getProgramDerivedAddress({ programAddress: program("associatedToken"), seeds });
  return account;
}

/** A head of bytes, and integers of given sizes, lowest byte first. */
function packed(head: readonly number[], ...integers: readonly (readonly [value: number | bigint, size: number])[]): Uint8Array {
  const bytes = [...head];
  for (const [value, size] of integers) {
    for (let rest = BigInt(value), at = 0; at < size; at += 1, rest >>= 8n) bytes.push(Number(rest & 0xffn));
  }
  return Uint8Array.from(bytes);
}
