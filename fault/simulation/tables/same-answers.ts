import type { Database } from "#db/client.ts";
import * as realLeases from "#db/lease.ts";
import * as realCallbacks from "#db/queries/callbacks/callbacks.ts";
import * as realDue from "#db/queries/callbacks/due-callbacks.ts";
import * as realFees from "#db/queries/ledger/network-fees.ts";
import * as realInFlight from "#db/queries/transfers/in-flight.ts";
import * as realSequence from "#db/queries/transfers/nonce-sequence.ts";
import * as realPlaces from "#db/queries/transfers/orphaned-nonces.ts";
import * as realOrphaned from "#db/queries/transfers/orphaned-transfers.ts";
import * as realOwing from "#db/queries/transfers/owe-transfer.ts";
import * as realJournal from "#db/queries/transfers/signing-journal.ts";
import * as realSuperseded from "#db/queries/transfers/superseded-transactions.ts";
import * as realTransactions from "#db/queries/transfers/transactions.ts";
import * as realTransfers from "#db/queries/transfers/transfers.ts";
import * as realWallets from "#db/queries/transfers/wallets.ts";
import type { Random } from "#fault/random.ts";
import { Gate } from "#fault/simulation/gate.ts";
import { EPOCH, Scheduler } from "#fault/simulation/scheduler.ts";
import { openPool, Store } from "#fault/simulation/store.ts";
import { plantTransfer } from "#testing/plant-transfer.ts";
import { TABLES } from "./all.ts";

const REAL = {
  ...realLeases,
  ...realCallbacks,
  ...realDue,
  ...realFees,
  ...realPlaces,
  ...realOrphaned,
  ...realOwing,
  ...realInFlight,
  ...realSequence,
  ...realJournal,
  ...realSuperseded,
  ...realTransactions,
  ...realTransfers,
  ...realWallets,
};
/** The statements that both have. */
export type Queries = typeof REAL;

/** One database of the two. */
export type Side = { db: Database; queries: Queries; walletId: string };

/** Its payments have no owners. */
export const realSide = (db: Database): Side => ({ db, queries: { ...REAL, oweTransfer: plantTransfer }, walletId: "" });

/** The in-memory tables, on the machine's own time: what compares them uses instants long ago or far away. */
export function simulatedSide(random: Random): Side {
  const calm = { killed: 0, late: 0, lateMs: 1, databaseAwayUntil: 0 };
  const gate = new Gate({ name: "compared", alive: true, frozenUntil: 0 }, new Scheduler(), random, calm, null);
  const db = openPool(new Store(() => Date.now() - EPOCH), gate);
  // What is missing is no function, and fails where it is called.
  const queries = Object.assign({}, ...Object.values(TABLES)) as Queries;
  return { db, queries, walletId: "" };
}
