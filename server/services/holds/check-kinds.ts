import type { Database } from "#db/client.ts";
import type { PaymentHold } from "#db/queries/holds/payment-holds.ts";
import type { LockedSettlement } from "#db/queries/settlements/settlements.ts";
import type { By } from "#domain/access.ts";
import type { Check, Finding } from "#domain/payment-check.ts";
import type { Transfer } from "#domain/transfer.ts";

/** A settlement that is being confirmed, as it is known before its row is held. */
export type Confirmation = { settlementId: string; partnerId: string; by: By };

/**
 * One kind of check, as confirmations ask it, one or several of a transaction. `ask` is sent right behind the statement that holds the
 * settlements' rows, in the same round trip: it may lock and read, with statements that do not wait for one another, and for nobody's network.
 */
export type ConfirmCheck = {
  check: Check;
  ask(tx: Database, confirmations: readonly Confirmation[]): Promise<ConfirmJudge>;
};

/** Judges settlements in turn, once they were read, those alone that are being confirmed. */
export type ConfirmJudge = {
  /** No findings: the check has nothing to say. */
  judge(held: LockedSettlement): readonly Finding[];
  /** It is confirmed, with these findings, and held by whatever check or not: those behind it are judged by that. */
  count(held: LockedSettlement, findings: readonly Finding[], isHeld: boolean): void;
};

/** A payment that is about to be signed. `released`: the keys that people have released it from, of the check that is asked. */
export type PaymentToSign = { transfer: Transfer; released: readonly string[] };

/**
 * One kind of check, as the transaction asks it that stores the signed bytes: nobody waits for a network there. Answers findings by
 * transfer; of what is not named the check has nothing to say. `walletId`: whose money it would be. What counts for a limit counts in
 * the order of the payments.
 */
export type SigningCheck = {
  check: Check;
  judge(
    tx: Database,
    payments: readonly PaymentToSign[],
    about: { walletId: string; now: Date },
  ): Promise<ReadonlyMap<string, readonly Finding[]>>;
};

/** Done in the transaction that releases a payment: a limit counts what was let pass beyond it. */
export type OnRelease = (tx: Database, released: { transfer: Transfer; holds: readonly PaymentHold[]; now: Date }) => Promise<void>;
