import type { CallbackOutcome, OutgoingCallback, UrlVerdict } from "#domain/callback.ts";
import type { ChainInfo } from "#domain/chain-info.ts";
import type { EvmBlock, EvmContent, EvmReceipt, EvmTokenMove, TokenMoveSearch } from "#domain/evm-chain.ts";
import type { EvmIntent, EvmLog } from "#domain/evm-intent.ts";
import type { AccountType, ProviderWord } from "#domain/fiat.ts";
import type { FeeLimits, GasKind } from "#domain/gas.ts";
import { Rejected, Unreachable } from "#domain/port-errors.ts";
import type { CurrencyPair, RateObservation } from "#domain/rate.ts";
import type { CanonicalCode, SafeContract, SafeInfo, SafePlan, SafeTransaction, SafeVersion } from "#domain/safe.ts";
import type { AddressQuestion, Destination, Screening, ScreeningState } from "#domain/screening.ts";
import type { SealedPlace } from "#domain/sealed-place.ts";
import type { TransferCall } from "#domain/transfer.ts";
import type { SignerKind } from "#domain/wallet.ts";

export { Rejected, Unreachable };
/**
 * The service's external interfaces. Adapters implement these types; services get them through the context. Adapters throw two kinds of
 * errors: `Unreachable` (try again, nothing is known) and `Rejected` (a fact).
 */

/** Real time. Business time is the database's (`db/queries/maintenance/clock.ts`). */
export type Clock = { now(): Date };

/** Encrypts secrets for storage (AES-256-GCM under a key with an id), each bound to its place, and decrypts them there. */
export type Vault = {
  seal(plain: string, place: SealedPlace): string;
  /** Throws for what was sealed for another place, was altered, or is sealed under a key that is gone. */
  open(sealed: string, place: SealedPlace): string;
  /** Whether it was sealed under the key and in the form that seals now. */
  isCurrent(sealed: string): boolean;
};

/** People's passwords. At most a few are hashed at a time: each takes tens of megabytes. */
export type Passwords = {
  hash(password: string): Promise<string>;
  /** Whether it is the stored password. `stored` null: there is none; the result is false after the same time. */
  verify(stored: string | null, password: string): Promise<boolean>;
  /** Why a new password is easily guessed, as a public sentence; null when it is not. `about`: what an attacker knows about the person. */
  weakness(password: string, about: readonly string[]): Promise<string | null>;
};

export type { ChainInfo } from "#domain/chain-info.ts";
export type { IdentityProviders } from "#domain/identity-provider.ts";
export type { LapsingDirectory } from "#domain/lapsing-chain.ts";
export type { LapsingKey, LapsingKeys, LapsingSigners } from "#domain/lapsing-signer.ts";
export type { Meter } from "#domain/meter.ts";
export type { Mailer } from "#domain/notification.ts";
export type { Passkeys } from "#domain/passkey.ts";
export type { Signers } from "#domain/signer.ts";

export type Log = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: object): Log;
};

/** The chains and tokens this installation pays on: configuration, the same in every process. */
export type ChainDirectory = { list(): readonly ChainInfo[]; find(chain: string): ChainInfo | null };

/**
 * Screens the recipients of payments, with `screensPayees` also payees by their names. Never throws, and answers within the stage's time
 * limit: a source without an answer by then is silent, which is a result. Without `isOn` no source is asked, and nothing is known.
 */
export type Screener = {
  isOn: boolean;
  screensPayees: boolean;
  /** One screening for each destination, in their order. */
  screen(destinations: readonly Destination[], stage: "confirm" | "sign"): Promise<Screening[]>;
  state(): ScreeningState;
  /** Asks every source now and each minute, so that `state` and the log show one that does not answer. */
  watch(): Promise<void>;
};

/** A source of mid rates. Returns those that it could get; a missing pair has no fresh rate. */
export type RateSource = { name: string; observe(pairs: readonly CurrencyPair[], signal: AbortSignal): Promise<RateObservation[]> };

/** Judges and sends callbacks. One guard serves creation, resend and every attempt (contract, part 4). */
export type CallbackSender = {
  /**
   * Whether a URL may be called, as far as is known now: `allowed`, or `forbidden` when the host is or resolves to a special address, or
   * `malformed` when it has the wrong form. A name that does not resolve is allowed.
   */
  judge(url: string): Promise<UrlVerdict>;
  /** One POST, within the deadline whatever the receiver does. Never throws: every failure is a result. */
  send(request: OutgoingCallback): Promise<CallbackOutcome>;
};

export type EvmDirectory = { list(): readonly EvmChain[]; find(chain: string): EvmChain | null };
/** One EVM chain that this process can reach: its rules and its nodes. */
export type EvmChain = ChainInfo & {
  chainId: number;
  native: { currency: string; decimals: number };
  gas: GasKind;
  useFinalizedTag: boolean; // ask the node for that instead of counting confirmations
  maxFeePerGas: bigint | null; // in wei; null: no cap
  feeLimits: FeeLimits;
  bumpAfterSeconds: number;
  /** The amount, in base units, from which two nodes must agree that a payment is final, where two are configured. */
  twoNodesFrom(currency: string): bigint;
  dataFee: "op-stack" | null; // who charges for a transaction's data besides gas; null: nobody (or gas includes it)
  nodes: readonly EvmNode[]; // in order of preference; the others are witnesses to what one node says
  safes: SafeContracts;
  packingContract: string | null; // pays several recipients in one transaction; null: nothing is packed
  treasuryDestinations: readonly string[]; // where the operator may take crypto out of the treasury's wallets
  isPackingContract(code: string): boolean; // whether a contract's code is the audited one
  /**
   * Decodes a signer's answer and compares every field and the recovered sender with the request. `sender` null: the key is in this
   * process, so no other process can have signed; recovering would take four times as long as signing.
   * @returns the transaction's hash. @throws Rejected when anything differs.
   */
  checkSigned(raw: string, unsigned: EvmTransaction, sender: string | null): Promise<string>;
  hashOf(raw: string): Promise<string>; // of signed bytes
};

/** The Safe contracts: the canonical code, and the encoding of calls. Knows nothing about a chain's state. */
export type SafeContracts = {
  /** Which canonical contract a code is; null when it is none. */
  recognise(code: string): CanonicalCode | null;
  /** The canonical address of a contract, and the deployer contract that puts it there. */
  homes(contract: SafeContract, version: SafeVersion): readonly { deployer: string; address: string }[];
  /** Deploys a contract: through that deployer to its home, or (null) by a plain creation, to an address that its nonce decides. */
  deploy(contract: SafeContract, version: SafeVersion, deployer: string | null): Promise<TransferCall>;
  /** Deploys a Safe, and says where it will be. The same plan always leads to the same address. */
  createSafe(plan: SafePlan): Promise<{ call: TransferCall; address: string }>;
  /** Makes the Safe execute one call, authorised by the only owner that is needed, who must send the transaction. */
  execute(order: { safe: string; owner: string; call: EvmIntent }): Promise<TransferCall>;
  /** Replaces the owner `from` by `to`; an owner must sign it. @throws Error when `from` is not an owner. */
  swapOwner(order: { safe: SafeInfo; chainId: number; from: string; to: string }): Promise<SafeTransaction>;
  /** Has the Safe carry out what one owner signed, anyone who sends it. */
  executeSigned(transaction: SafeTransaction, signature: string): Promise<TransferCall>;
};
/** One node's JSON-RPC. Every call has its own timeout. @throws Unreachable (nothing is known), EvmRejected (a fact). */
export type EvmNode = {
  /** Host and port, for logs and figures: the URL itself may carry a secret. */
  name: string;
  chainId(): Promise<number>;
  /** What the chain's fees are paid in, as far as the node shows it. */
  gasKind(): Promise<GasKind>;
  block(at: number | "latest" | "finalized"): Promise<EvmBlock | null>; // null when the node has no such block
  /** Null when the node does not know the block, or cannot answer for whole blocks. */
  blockReceipts(blockHash: string): Promise<EvmReceipt[] | null>;
  receipt(hash: string): Promise<EvmReceipt | null>;
  /** Whether the transaction is in the node's pool or in a block. */
  knows(hash: string): Promise<boolean>;
  /** How many transactions the address has made; at a height where the node still knows that state, else EvmRejected. */
  nonce(address: string, at: "latest" | "pending" | number): Promise<number>;
  content(height: number): Promise<EvmContent | null>; // of the block there; null when the node has none
  /** The events between two heights that moved some of these tokens away from one of these addresses (`out`), or to one (`in`). */
  tokenMoves(search: TokenMoveSearch): Promise<EvmTokenMove[]>;
  /** In base units, as of a block. `token` null: the native coin. */
  balance(address: string, token: string | null, atHeight: number): Promise<bigint>;
  coinBalances(addresses: readonly string[], atHeight: number): Promise<bigint[]>; // of the native coin, in one question
  decimals(token: string): Promise<number>;
  allowance(token: string, owner: string, spender: string): Promise<bigint>; // of an owner's tokens, at the newest block
  height(): Promise<number>; // of its newest block
  /** A contract's yes or no about an address, at the newest block; null: it has no such answer (no contract, a revert, another shape). */
  askAbout(contract: string, question: AddressQuestion, address: string): Promise<boolean | null>;
  /** Plays the intent without sending it. */
  simulate(sender: string, intent: EvmIntent): Promise<EvmSimulation>;
  trialLogs(sender: string, intent: EvmIntent): Promise<readonly EvmLog[] | null>; // what it would log; null: it fails, or the node cannot say
  /** Plays a reverted transaction again on the state before and after its block, with gas enough: why it failed; null when it does not. */
  replay(sender: string, intent: EvmIntent, height: number): Promise<EvmRevert | null>;
  tip(): Promise<bigint>;
  /** The most that an OP-stack chain may charge right now for publishing this many bytes, in addition to their gas. */
  dataFee(bytes: number): Promise<bigint>;
  code(address: string): Promise<string>; // the newest; `0x` when there is none
  /** The Safe at an address, all of it at one block; null when the contract there is not a Safe. */
  safe(address: string): Promise<SafeInfo | null>;
  /** Hands over signed bytes. `known`: the node had them already. */
  send(raw: string): Promise<"accepted" | "known">;
};

/** `refused`: a fact about the payment. `treasury`: the sender's trouble (too little, blocked), or a paused token: it waits. */
export type EvmSimulation = { outcome: "passes"; gas: bigint } | { outcome: "refused" | "treasury"; reason: string };

/** Why a call was reverted, in plain words. `treasury`: as in a simulation. */
export type EvmRevert = { reason: string; treasury: boolean };

export type EvmRejection = "nonce_too_low" | "underpriced" | "insufficient_funds" | "not_supported" | "other";
/** A node understood, and said no. "nonce too low" proves nothing about whose transaction it was. */
export class EvmRejected extends Rejected {
  readonly kind: EvmRejection;
  constructor(kind: EvmRejection, message: string) {
    super(message);
    this.kind = kind;
  }

  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Rejected && "kind" in error;
  }
}

/** A transaction before its signature (EIP-1559). */
export type EvmTransaction = EvmIntent & {
  chainId: number;
  nonce: number;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
};
/** A key that signs for one treasury wallet, and that nothing else uses. `isOurs`: it is in this process's memory. */
export type Signer = {
  kind: SignerKind;
  isOurs?: true;
  address(): Promise<string>;
  /** Asked twice for the same, it may answer twice with different bytes: only what is stored counts. @throws Unreachable, Rejected */
  signTransaction(unsigned: EvmTransaction): Promise<string>;
  /** Signs a Safe's transaction (EIP-712) for others to send. Left out: this kind of signer cannot. @throws Unreachable, Rejected */
  signSafeTransaction?(transaction: SafeTransaction): Promise<string>;
  /** Asks the key itself whether it is there and is the wallet's. Left out: that shows when it signs. @throws Unreachable, Rejected */
  check?(): Promise<void>;
};
/** The treasury's keys, by chain: the signer's alone. */
export type SigningKeys = { of(chain: string): readonly Signer[] };

/**
 * A fiat provider, which only the worker calls. An order has our id (`wd_…`, `tu_…`), and submitting it again has no effect: the provider
 * returns the status of the first. @throws Unreachable (nothing is known), Rejected (it refuses the order).
 */
export type FiatRail = {
  collect(order: FiatOrder): Promise<FiatAnswer>;
  payOut(order: FiatOrder): Promise<FiatAnswer>;
  /** The status of an order; null: the provider does not know it. */
  lookUp(orderId: string): Promise<FiatAnswer | null>;
  /** What the provider holds for us now, in minor units. Left out: it cannot be asked. */
  balances?(): Promise<{ currency: string; amountMinor: bigint }[]>;
};

export type FiatOrder = {
  id: string;
  amountMinor: bigint;
  currency: string;
  account: { type: AccountType; account: string /** null: not known. */; name: string | null };
};

/** `pending`: it reports later. `instructions`: what the payer has to do, in words for people. */
export type FiatAnswer =
  | { status: "pending"; reference: string | null; instructions: string | null }
  | (ProviderWord & { instructions: null });

/** The configured fiat providers: the one for new orders (`current`), and the one whose signature over the raw bytes it is. */
export type FiatProviders = { current: string; signerOf(body: Uint8Array, signature: string): string | null };
