import type { ChainInfo } from "./chain-info.ts";
import type { ChainPoint, Expiry, LapsingFee, LapsingOwed, LapsingReport, LapsingTokenMove } from "./lapsing-report.ts";
import type { MemoContent } from "./payment-reference.ts";

/** What is to be paid. `reference` is in the signed bytes: it makes the id of each payment unique, and the recipient reads it. */
export type LapsingIntent = {
  sender: string;
  recipient: string;
  /** null: the chain's coin. */
  token: string | null;
  amountBase: bigint;
  reference: string;
  /** Several payments in one transaction, all of them or none. The recipient is then the sender itself, and the amount is their sum. */
  members?: readonly LapsingMember[] | undefined;
};

/** One of the payments that one transaction makes. A recipient appears once. */
export type LapsingMember = { recipient: string; amountBase: bigint; reference: string };

/** What the bytes pay, payment by payment. */
export function membersIn(intent: LapsingIntent): readonly LapsingMember[] {
  return intent.members ?? [intent];
}

/** How much of `room` each payment takes of a transaction that makes several; at most `most` of them. */
export type LapsingPacking = { most: number; room: number; sizeOf(member: Pick<LapsingMember, "reference">): number };

/**
 * Bytes to sign. Those that a node prepares now can be in no block up to `after`, the last final height. `feeAtMost`: what the chain can
 * take at most; on chains that create the recipient's account with the payment, also for that.
 */
export type UnsignedPayment = { intent: LapsingIntent; bytes: string; after: number; expiry: Expiry; feeAtMost: LapsingFee };

/** `refused`: a fact about the payment (a frozen recipient). `treasury`: the sender has too little of something; it waits. */
export type LapsingTrial = { outcome: "passes" } | { outcome: "refused" | "treasury"; reason: string };

/** What a payment takes besides its amount. `isNewHolder`: the recipient has none of the token yet, which costs more on some chains. */
export type PaymentCost = { fee: LapsingFee; isNewHolder: boolean };

/** An attempt as a node looks it up. `bytes`: unsigned, as stored; some chains name what they lapse with only there. Empty: they were read from a final block. */
export type LookUp = { id: string; after: number; expiry: Expiry; bytes: string };

/**
 * A transaction that moved something out of a wallet, as a node's history shows it. `memo` null: none can be read. `moves`: what left the
 * wallet. `feeToken`: what its fee was paid in; null is the coin.
 */
export type SentPayment = {
  id: string;
  height: number;
  at: Date;
  memo: string | null;
  moves: readonly LapsingTokenMove[];
  feeToken: string | null;
};

/** Which part of a wallet's history is asked for: since when, and without what is known. */
export type SentQuery = { wallet: string; since: Date; isKnown(id: string): boolean };

/**
 * One node of a chain whose payments lapse. Every call has its own timeout. @throws Unreachable (nothing is known), Rejected (a fact)
 */
export type LapsingNode = {
  /** Host and port, for logs: the URL itself may carry a secret. */
  name: string;
  /** The chain's id or genesis hash, which no other chain has. */
  identity(): Promise<string>;
  /** What it says that it is, where it is no node of a real network; null: it says nothing of that. Left out: only its identity shows it. */
  double?(): Promise<string | null>;
  /** Why the chain would include nothing that is prepared by the settings as they are; null: nothing speaks against them. Left out: nothing could. */
  findUnfit?(): Promise<string | null>;
  /** The newest final block. */
  finalPoint(): Promise<ChainPoint>;
  /** Bytes that pay the intent, with an expiry. @throws Rejected where the chain cannot say what it would cost */
  prepare(intent: LapsingIntent): Promise<UnsignedPayment>;
  /** Plays the payment without sending it. */
  simulate(unsigned: UnsignedPayment): Promise<LapsingTrial>;
  /** Why the chain would let none of these recipients have the token as things are: a sentence each, or null. Left out: only an address's form counts. */
  judgeRecipients?(recipients: readonly string[], token: string | null): Promise<(string | null)[]>;
  /** What the payment would probably take, as the chain is now; null: it does not say. Left out: it cannot be asked. */
  costOf?(intent: LapsingIntent): Promise<PaymentCost | null>;
  /** In base units, at a final block, at least of that height. `token` null: the coin. @throws Unreachable where the node is behind it */
  balance(address: string, token: string | null, atLeast?: number): Promise<bigint>;
  /** Hands over signed bytes. `known`: the node had them already. A rejection proves nothing about what other nodes have. */
  send(raw: string): Promise<"accepted" | "known">;
  /**
   * What the node knows of an attempt. It reads the newest final block first and looks up the id after it; in the other order what lands in
   * between would be absent.
   */
  find(attempt: LookUp): Promise<LapsingReport>;
  /** What a wallet has paid by its history on the chain, final or not, the oldest first. @throws Unreachable where the node does not have all of that history */
  listSent(query: SentQuery): Promise<SentPayment[]>;
};

/** One chain whose signed payments lapse by themselves: its rules, and its nodes. The coin that fees are paid in, if any, is among its tokens. */
export type LapsingChain = ChainInfo & {
  /** What the memo of a payment says, and how many bytes it has room for. */
  memo: MemoContent;
  memoBytes: number;
  /** What each of its nodes must answer. */
  identity: string;
  /** In order of preference. */
  nodes: readonly LapsingNode[];
  /** The amount, in base units, from which two nodes must agree that a payment is final, where two are configured. */
  twoNodesFrom(currency: string): bigint;
  /** How long its signed bytes are valid at most, after the newest final block of their time. */
  longestValid: { by: "height"; blocks: number } | { by: "time"; ms: number };
  /** What the signer lets one payment cost at most, in base units of what fees are paid in. */
  mostFeeBase: bigint;
  /** Where the operator may take crypto out of the treasury's wallets; left out: nowhere. Of these settings, the signer's decide. */
  treasuryDestinations?: readonly string[];
  /** Several payments in one transaction, where the settings say so; left out: each has a transaction of its own. */
  packing?: LapsingPacking | undefined;
  /** The one text of an address that may be spelled in several ways; left out: there is only one. */
  canonical?(address: string): string;
  /**
   * Decodes signed bytes, and compares every field and the signature's sender with what was to be signed.
   * @returns the payment's id on the chain. @throws Rejected when anything differs
   */
  checkSigned(raw: string, unsigned: UnsignedPayment): Promise<string>;
};

/** The chains whose signed payments lapse by themselves. */
export type LapsingDirectory = { list(): readonly LapsingChain[]; find(chain: string): LapsingChain | null };

/** The one text of an address on that chain, by which addresses are compared. */
export function canonicalOf({ canonical }: Pick<LapsingChain, "canonical">, address: string): string {
  return canonical === undefined ? address : canonical(address);
}

/** What a payment owes on that chain, in its canonical form. */
export function owedOn(
  chain: Pick<LapsingChain, "canonical">,
  { tokenAddress, recipient, amountBase }: { tokenAddress: string | null; recipient: string; amountBase: bigint },
): LapsingOwed {
  return { token: tokenAddress === null ? null : canonicalOf(chain, tokenAddress), recipient: canonicalOf(chain, recipient), amountBase };
}
