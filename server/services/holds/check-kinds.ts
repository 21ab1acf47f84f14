import type { Database } from "#db/client.ts";
import type { PaymentHold } from "#db/queries/holds/payment-holds.ts";
import type { ToConfirm } from "#db/queries/settlements/lock-to-confirm.ts";
import type { Counted } from "#domain/limits-in-turn.ts";
import type { Check, Finding } from "#domain/payment-check.ts";
import type { Transfer, TransferPurpose } from "#domain/transfer.ts";

/**
 * One kind of check at a confirmation. It judges by what was read when the row was locked. `counted`: what the items before it in its batch
 * add to limits; the check adds its own. An empty result: the check does not apply.
 */
export type ConfirmCheck = { check: Check; judge(locked: ToConfirm, counted: Counted): readonly Finding[] };

/** A payment that is about to be signed. `released`: what people have released it from, for this check. */
export type PaymentToSign = { transfer: Transfer; released: readonly string[] };

/**
 * One kind of check in the transaction that stores the signed bytes, so it must not use the network. Returns findings by transfer; it does
 * not apply to a transfer that is missing. `purposes`: the transfers that it checks. `walletId`: the paying wallet. Amounts count towards
 * limits in the order of the payments.
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
