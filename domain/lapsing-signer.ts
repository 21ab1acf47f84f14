import type { UnsignedPayment } from "./lapsing-chain.ts";
import type { LapsingEntry } from "./lapsing-journal.ts";
import { type OwnWallet, SignerAway, type Signers } from "./signer.ts";
import type { SignerKind } from "./wallet.ts";

/**
 * What is to be signed: a payment by its id. The signer derives recipient, token and amount itself, and compares the bytes with them.
 * `members`: the payments that one transaction makes, in their order; `transferId` is then that of the transaction, which is stored afterwards.
 */
export type LapsingSignOrder = { chain: string; transferId: string; members?: readonly string[] | undefined; unsigned: UnsignedPayment };

/**
 * `id`: the payment's on the chain. `bytes` are sealed: only the signer opens them. `unowed`, `capped` and `unsigned`: as of other signers.
 * `signed_before`: the journal has an attempt that may pay it, or has, and the chain does not prove that it came to nothing.
 */
export type LapsingSignAnswer =
  | { outcome: "signed"; id: string; bytes: string }
  | { outcome: "signed_before"; attempt: LapsingEntry }
  | { outcome: "refused"; kind: "unowed" | "capped" | "unsigned"; reason: string };

/** Stored bytes that are to go to the network. `members`: as in the order to sign. */
export type LapsingAdmitOrder = { chain: string; transferId: string; members?: readonly string[] | undefined; id: string; bytes: string };

/** What the wallets have paid on the chain, and the journal does not have. `id`: the newest of them. */
export type JournalLack = { id: string; reason: string };

/** How far the signer's journal is. `newest`: the id that was signed last on the chain; null: none was. `lacks` left out: as far as is known, nothing. */
export type LapsingMarks = { records: number; durable: number; newest: string | null; lacks?: JournalLack };

/** `isDoubt`: the nodes do not know enough yet, or the settings do not allow it now. It waits, and nothing is wrong. */
export type LapsingAdmitAnswer = { raw: string } | { fault: string; isDoubt?: boolean };

/**
 * The keys of chains whose payments lapse, and the journal of what they signed. It admits a second attempt of a payment only once the first
 * has lapsed. @throws SignerAway from every call but `of`; JournalUnusable, JournalUnwritable
 */
export type LapsingSigners = {
  of(chain: string): readonly OwnWallet[];
  sign(order: LapsingSignOrder): Promise<LapsingSignAnswer>;
  /** Makes the journal hold the bytes, and opens them. */
  admit(order: LapsingAdmitOrder): Promise<LapsingAdmitAnswer>;
  /** Reads the journal that belongs to the database. The first one of an installation begins it. */
  readJournal(chain: string): Promise<LapsingMarks>;
};

/** All that one signer signs for. */
export type AllSigners = Signers & { lapsing: LapsingSigners };

const absent = async (): Promise<never> => {
  throw new SignerAway("This process has no signer.");
};

/** Of a process that signs nothing. */
export const NO_LAPSING_SIGNERS: LapsingSigners = { of: () => [], sign: absent, admit: absent, readJournal: absent };

/**
 * When a signer last used this journal, as of the start of this process. null: not known. undefined: just now, or this process creates it.
 * `beat`: it has it now, and nothing from before its start is open any more.
 */
export type Heartbeat = { last: Date | null | undefined; beat(): void };

/** A key that signs for one treasury wallet on such a chain, and that nothing else uses. */
export type LapsingKey = {
  kind: SignerKind;
  address(): Promise<string>;
  /** Signs the bytes of its family. The same bytes always give the same signed bytes. @throws Unreachable, Rejected */
  sign(bytes: string): Promise<string>;
  /** Asks the key itself whether it is there and is the wallet's. Left out: that shows when it signs. @throws Unreachable, Rejected */
  check?(): Promise<void>;
};

/** The treasury's keys on such chains, by chain: the signer's alone. */
export type LapsingKeys = { of(chain: string): readonly LapsingKey[] };
