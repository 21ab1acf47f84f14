import type { UnsignedPayment } from "./lapsing-chain.ts";
import { type OwnWallet, SignerAway } from "./signer.ts";
import type { SignerKind } from "./wallet.ts";

/** What is to be signed: a payment by its id. The signer derives recipient, token and amount itself, and compares the bytes with them. */
export type LapsingSignOrder = { chain: string; transferId: string; unsigned: UnsignedPayment };

/** `id`: the payment's on the chain. `bytes` are sealed: only the signer opens them. `unowed`, `capped` and `unsigned`: as of other signers. */
export type LapsingSignAnswer =
  | { outcome: "signed"; id: string; bytes: string }
  | { outcome: "refused"; kind: "unowed" | "capped" | "unsigned"; reason: string };

/** Stored bytes that are to go to the network. */
export type LapsingAdmitOrder = { chain: string; transferId: string; id: string; bytes: string };

/**
 * The keys of chains whose payments lapse, and the journal of what they signed. It admits a second attempt of a payment only once the first
 * has lapsed. @throws SignerAway from every call but `of`
 */
export type LapsingSigners = {
  of(chain: string): readonly OwnWallet[];
  sign(order: LapsingSignOrder): Promise<LapsingSignAnswer>;
  /** Makes the journal hold the bytes, and opens them. */
  admit(order: LapsingAdmitOrder): Promise<{ raw: string } | { fault: string }>;
};

const absent = async (): Promise<never> => {
  throw new SignerAway("This process has no signer.");
};

/** Of a process that signs nothing. */
export const NO_LAPSING_SIGNERS: LapsingSigners = { of: () => [], sign: absent, admit: absent };

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
