import type { Database } from "#db/client.ts";
import type { OpenTransaction } from "#db/queries/transfers/transactions.ts";
import type { Journal } from "#domain/journal.ts";
import type { AllSigners, Heartbeat, LapsingKeys } from "#domain/lapsing-signer.ts";
import type { SignerCap } from "#domain/signer-caps.ts";
import type { EvmDirectory, LapsingDirectory, Log, Signer } from "#server/ports.ts";
import type { FindAboveCap } from "#server/services/transfers/find-above-cap.ts";
import type { FindUnowed } from "#server/services/transfers/find-unowed.ts";
import type { FindUnsignedRules } from "#server/services/transfers/find-unsigned-rules.ts";
import { signedEntry } from "#server/services/transfers/journal-entries.ts";
import { localSigners } from "#server/signer/local-signers.ts";
import { openSeal, type Seal } from "#server/signer/seal.ts";
import { processOf } from "./database.ts";
import { NO_LAPSING_CHAINS } from "./surface.ts";

export type Signing = {
  keys: readonly Signer[];
  db: Database;
  journal: Journal;
  findUnowed: FindUnowed;
  evm: EvmDirectory;
  /** Omitted: there is no chain whose payments lapse. */
  lapsing?: LapsingDirectory;
  lapsingKeys?: LapsingKeys;
  log: Log;
  caps: readonly SignerCap[];
  seal?: Seal;
  findAboveCap?: FindAboveCap;
  findUnsignedRules?: FindUnsignedRules;
  /** Omitted: a signer had the journal just now. */
  heartbeat?: Heartbeat;
};

/** Every signer of a test opens what another one has closed. */
const SEAL = openSeal(() => Buffer.alloc(32, 7));

/** A signer in this process: the same on every chain. */
export function openTestSigners({
  keys,
  journal,
  findUnowed,
  findAboveCap,
  findUnsignedRules,
  caps,
  db,
  lapsing = NO_LAPSING_CHAINS,
  lapsingKeys = { of: () => [] },
  seal = SEAL,
  heartbeat = { last: undefined, beat: () => {} },
  ...powers
}: Signing): AllSigners {
  const ctx = { ...powers, lapsing, db: processOf(db, "signer"), clock: { now: () => new Date() } };
  const judges = { ...(findAboveCap && { findAboveCap }), ...(findUnsignedRules && { findUnsignedRules }) };
  return localSigners({
    ctx,
    keys: { of: () => keys },
    journal,
    seal,
    findUnowed,
    caps,
    lapsingKeys,
    ...judges,
    heartbeat,
  });
}

/** The bytes of a stored attempt, as the signer opens them. */
export function openBytes(
  { transfer, walletAddress, nonce, ...transaction }: OpenTransaction,
  attempt = transaction.attempts.at(-1),
): string {
  if (attempt === undefined) throw new Error("nothing is signed");
  return SEAL.open(attempt.rawBytes, signedEntry({ transfer, walletAddress, nonce, ...transaction }, attempt)) ?? "";
}
