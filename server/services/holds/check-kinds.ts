import type { Database } from "#db/client.ts";
import type { PaymentHold } from "#db/queries/holds/payment-holds.ts";
import type { ToConfirm } from "#db/queries/settlements/lock-to-confirm.ts";
import type { Check, Finding } from "#domain/payment-check.ts";
import type { Transfer, TransferPurpose } from "#domain/transfer.ts";

/** One kind of check, as a confirmation asks it. It judges by what was read when the row was locked. No findings: it has nothing to say. */
export type ConfirmCheck = { check: Check; judge(held: ToConfirm): readonly Finding[] };

/** A payment that is about to be signed. `released`: the keys that people have released it from, of the check that is asked. */
export type PaymentToSign = { transfer: Transfer; released: readonly string[] };

/**
 * One kind of check, as the transaction asks it that stores the signed bytes: nobody waits for a network there. Answers findings by
 * transfer; of what is not named the check has nothing to say. `purposes`: of which transfers it is asked. `walletId`: whose money it would
 * be. What counts for a limit counts in the order of the payments.
 */
export type SigningCheck = {
  check: Check;
  purposes: ReadonlySet<TransferPurpose>;
  judge(
    tx: Database,
    payments: readonly PaymentToSign[],
    about: { walletId: string; now: Date },
  ): Promise<ReadonlyMap<string, readonly Finding[]>>;
};

/** Done in the transaction that releases a payment: a limit counts what was let pass beyond it. */
export type OnRelease = (tx: Database, released: { transfer: Transfer; holds: readonly PaymentHold[]; now: Date }) => Promise<void>;
