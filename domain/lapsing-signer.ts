import type { UnsignedPayment } from "./lapsing-chain.ts";
import type { OwnWallet } from "./signer.ts";

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
