import type { EvmFees } from "./evm-fees.ts";
import type { JournalFault, SignedEntry } from "./journal.ts";
import type { SafeInfo, SafeTransaction } from "./safe.ts";
import type { SignerKind } from "./wallet.ts";

/** A treasury wallet, as those see it who hold no key. @throws Unreachable, Rejected */
export type OwnWallet = {
  kind: SignerKind;
  address(): Promise<string>;
  /** Asks the key itself whether it is there and is the wallet's. Left out: that shows when it signs. */
  check?(): Promise<void>;
  /** Whether it can sign a Safe's transaction for others to send. */
  signsSafes: boolean;
};

/**
 * What is to be signed: a payment by its id, several in one transaction (`pack`: its owner, `pack:…`), or a nonce that no payment has (`filler`: its
 * owner). The signer derives recipients, token and amounts itself. A cancellation uses the payment's nonce up, and moves nothing.
 */
export type SignOrder = {
  of: { transferId: string } | { pack: string; transferIds: readonly string[] } | { filler: string };
  kind: "payment" | "cancellation";
  nonce: number;
  gasLimit: bigint;
  fees: EvmFees;
};
export type SignBatch = { chain: string; wallet: string; orders: readonly SignOrder[] };

/**
 * `bytes` are sealed: nobody but the signer can open them, and it does so once they are in its journal. `unowed`: nobody owes the payment.
 * `capped`: it is above the signer's own caps. `unsigned`: the key did not do its part.
 */
export type SignAnswer =
  | { outcome: "signed"; hash: string; bytes: string; intentHash: string }
  | { outcome: "refused"; kind: "unowed" | "capped" | "unsigned"; reason: string };

/** Stored bytes that are to go to the network, and what they do. `members`: the payments of a packed transaction, in its order. */
export type AdmitOrder = {
  transferId: string;
  members?: readonly string[] | undefined;
  entry: SignedEntry;
  bytes: string;
  gasLimit: bigint;
  fees: EvmFees;
};
export type AdmitFault = Omit<JournalFault, "code"> & {
  code: JournalFault["code"] | "unowed" | "capped";
  /** The nodes do not know enough yet, or the settings do not allow it now. It waits, and nothing is wrong. */
  isDoubt?: boolean;
};
export type AdmitAnswer = { bytes: string } | { fault: AdmitFault };

/** A Safe gets another of our wallets as its owner. `safe`: as it is on the chain. */
export type SwapOrder = { chain: string; deploymentId: string; safe: SafeInfo; to: string };

/** How far the signer's journal is. `marks`: the highest nonce that was signed for each wallet of the chain. */
export type JournalMarks = { records: number; durable: number; marks: readonly { wallet: string; mark: number }[] };

/**
 * The signer: it alone holds the treasury's keys and the journal of what they signed. It believes nothing of what it is asked, and derives
 * each payment again from what the payment is owed for.
 *
 * @throws SignerAway from every call but `of`
 */
export type Signers = {
  of(chain: string): readonly OwnWallet[];
  /** One answer for each order, in their order. Nothing of it can be sent before it is admitted. */
  sign(batch: SignBatch): Promise<SignAnswer[]>;
  /**
   * Appends to the journal what it does not hold yet, durably, and opens the bytes. It refuses what would pay an owner a second time or use
   * a nonce for something else. @throws JournalUnusable, JournalUnwritable
   */
  admit(chain: string, orders: readonly AdmitOrder[]): Promise<AdmitAnswer[]>;
  /** Reads the journal that belongs to the database. The first one of an installation begins it. @throws JournalUnusable, JournalUnwritable */
  readJournal(chain: string): Promise<JournalMarks>;
  /** @throws Unreachable, Rejected */
  signSwap(order: SwapOrder): Promise<{ transaction: SafeTransaction; signature: string }>;
};

/** The signer does not answer. Nothing is signed or sent meanwhile; all else goes on. Its message is for people. */
export class SignerAway extends Error {
  override readonly name = "SignerAway";
}

const absent = async (): Promise<never> => {
  throw new SignerAway("This process has no signer.");
};

/** Of a process that signs nothing. */
export const NO_SIGNERS: Signers = { of: () => [], sign: absent, admit: absent, readJournal: absent, signSwap: absent };
