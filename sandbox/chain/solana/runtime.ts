import {
  type Address,
  type EncodedAccount,
  getAddressDecoder,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  lamports,
  type Transaction,
} from "@solana/kit";
import { Clock, FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from "litesvm";
import type { AccountState, InnerInstructions, TokenBalance } from "./blocks.ts";
import { faultOf, type TransactionFault } from "./transaction-fault.ts";

const COMPUTE_BUDGET = "ComputeBudget111111111111111111111111111111";
const TOKEN_PROGRAMS = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];
/** Lengths of an account of the token programs without extensions. With some, its kind is the byte after them. */
const TOKEN_ACCOUNT_BYTES = 165;
const OF_TOKEN_ACCOUNT = 2;

/** A transaction as it came over the wire. `price`: in millionths of a lamport for a compute unit. */
export type Incoming = {
  transaction: Transaction;
  wire: string;
  signature: string;
  blockhash: string;
  keys: readonly Address[];
  price: bigint;
};

/** What the runtime did. `fee` 0 with a fault: it would be in no block. */
export type Execution = {
  fault: TransactionFault | null;
  fee: number;
  units: number;
  logs: string[];
  inner: InnerInstructions[];
  preBalances: number[];
  postBalances: number[];
  preTokens: TokenBalance[];
  postTokens: TokenBalance[];
};

/** @throws Error for bytes that are no transaction */
export function readIncoming(wire: string): Incoming {
  const bytes = Buffer.from(wire, "base64");
  const transaction = getTransactionDecoder().decode(bytes);
  const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
  if (message.version === 1) throw new Error("transactions of version 1 are not supported");
  const prices = message.instructions.flatMap(({ programAddressIndex, data }) =>
    message.staticAccounts[programAddressIndex] === COMPUTE_BUDGET && data?.[0] === 3 ? [Buffer.from(data).readBigUInt64LE(1)] : [],
  );
  return {
    transaction,
    wire,
    // The fee payer's, after the number of signatures. What is only played may have none, which is zero.
    signature: getBase58Decoder().decode(bytes.subarray(1, 65)),
    blockhash: message.lifetimeToken,
    keys: message.staticAccounts,
    price: prices[0] ?? 0n,
  };
}

/** The real runtime, in this process. Whose blockhash is recent, and what was in a block before, the caller decides. */
export class Runtime {
  private readonly svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n);

  setTime(slot: number, time: number): void {
    this.svm.setClock(new Clock(BigInt(slot), 0n, 0n, 1n, BigInt(time)));
  }

  account(address: string): AccountState {
    const found = this.svm.getAccount(address as Address);
    if (!found.exists) return null;
    return { lamports: found.lamports, data: Uint8Array.from(found.data), owner: found.programAddress, executable: found.executable };
  }

  setAccount(address: string, state: AccountState): void {
    const { lamports: amount, data, owner, executable } = state ?? NO_ACCOUNT;
    const account: EncodedAccount = {
      address: address as Address,
      data,
      executable,
      lamports: lamports(amount),
      programAddress: owner as Address,
      space: BigInt(data.length),
    };
    this.svm.setAccount(account);
  }

  rentFor(bytes: number): number {
    return Number(this.svm.minimumBalanceForRentExemption(BigInt(bytes)));
  }

  airdrop(address: string, amount: bigint): void {
    const before = this.account(address);
    this.setAccount(address, { ...(before ?? NO_ACCOUNT), lamports: (before?.lamports ?? 0n) + amount });
  }

  /** Carries it out, and keeps what it changes. */
  execute({ transaction, keys }: Incoming): Execution {
    const before = keys.map((key) => this.account(key));
    this.svm.withSigverify(true);
    const result = this.svm.sendTransaction(transaction);
    const after = keys.map((key) => this.account(key));
    const sum = (states: readonly AccountState[]) => states.reduce((total, state) => total + (state?.lamports ?? 0n), 0n);
    return {
      ...outcomeOf(result, keys),
      // The fee leaves the accounts of a transaction, and nothing else does.
      fee: Number(sum(before) - sum(after)),
      preBalances: before.map((state) => Number(state?.lamports ?? 0n)),
      postBalances: after.map((state) => Number(state?.lamports ?? 0n)),
      preTokens: this.tokensOf(before),
      postTokens: this.tokensOf(after),
    };
  }

  /** Plays it without keeping anything. */
  simulate({ transaction, keys }: Incoming, checksSignatures: boolean): Pick<Execution, "fault" | "units" | "logs" | "inner"> {
    this.svm.withSigverify(checksSignatures);
    const result = this.svm.simulateTransaction(transaction);
    return outcomeOf(result instanceof FailedTransactionMetadata ? result : result.meta(), keys);
  }

  private tokensOf(states: readonly AccountState[]): TokenBalance[] {
    return states.flatMap((state, accountIndex) => {
      const held = tokenAccount(state);
      if (held === null || state === null) return [];
      const decimals = this.account(held.mint)?.data[44] ?? 0;
      return [{ accountIndex, mint: held.mint, owner: held.owner, programId: state.owner, amount: held.amount.toString(), decimals }];
    });
  }
}

/** What a token account holds; null for any other account. */
export function tokenAccount(state: AccountState): { mint: string; owner: string; amount: bigint } | null {
  if (state === null || !TOKEN_PROGRAMS.includes(state.owner)) return null;
  const { data } = state;
  const isHolding =
    data.length === TOKEN_ACCOUNT_BYTES || (data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] === OF_TOKEN_ACCOUNT);
  if (!isHolding) return null;
  const [mint, owner] = [getAddressDecoder().decode(data.subarray(0, 32)), getAddressDecoder().decode(data.subarray(32, 64))];
  return { mint, owner, amount: Buffer.from(data).readBigUInt64LE(64) };
}

const NO_ACCOUNT = { lamports: 0n, data: new Uint8Array(), owner: "11111111111111111111111111111111", executable: false };

function outcomeOf(result: TransactionMetadata | FailedTransactionMetadata, keys: readonly Address[]) {
  const failed = result instanceof FailedTransactionMetadata;
  const meta = failed ? result.meta() : result;
  const inner = meta.innerInstructions().map((instructions, index) => ({
    index,
    instructions: instructions.map((one) => ({
      programIdIndex: one.instruction().programIdIndex(),
      accounts: [...one.instruction().accounts()],
      data: getBase58Decoder().decode(one.instruction().data()),
    })),
  }));
  return {
    fault: failed ? faultOf(result) : null,
    units: Number(meta.computeUnitsConsumed()),
    logs: meta.logs(),
    inner: inner.filter(({ instructions }) => instructions.length > 0 && keys.length > 0),
  };
}
