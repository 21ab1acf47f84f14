import type { Database } from "#db/client.ts";
import { lockToConfirm, type ToConfirm } from "#db/queries/settlements/lock-to-confirm.ts";
import type { LockedSettlement } from "#db/queries/settlements/settlements.ts";
import { inTransaction, layoutOf } from "#db/transaction.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { By } from "#domain/access.ts";
import { compare, type Decimal, formatDecimal } from "#domain/decimal.ts";
import { isId } from "#domain/ids.ts";
import { judge } from "#domain/lifecycle.ts";
import type { Counted } from "#domain/limits-in-turn.ts";
import { publishableAmount } from "#domain/money.ts";
import { holdingFindings, type Verdict } from "#domain/payment-check.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Screening } from "#domain/screening.ts";
import type { Settlement, SettlementAsShown } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { limitVerdicts } from "#server/services/holds/confirm-checks.ts";
import { keepVerdicts } from "#server/services/holds/keep-verdicts.ts";
import { screeningVerdicts } from "#server/services/screening/screening-check.ts";
import { type EnqueueTransfer, enqueueSettlementTransfers, newTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { changeSettlements } from "./change-settlement.ts";
import { readSettlementAsShown } from "./read-settlement.ts";
import { refuseMember } from "./refuse-member.ts";

export type ConfirmSettlement = {
  partnerId: string;
  by: By;
  id: string;
  externalTxId: string;
  /** Already judged by `checkCallbackUrl`; null: the one given at creation serves. */
  callbackUrl: string | null;
  /** The net amount the partner believes it confirms; another value is refused. */
  expectedDestinationAmount: Decimal | null;
  /** The result of `screenConfirmation` before this began. Null or omitted: no source has answered yet, and the worker asks before it signs. */
  screening?: Screening | null;
  /** What `judgeToConfirm` says against the recipient before this began; null or left out: nothing. */
  recipientFault?: string | null;
};

/**
 * Confirms a quote and enqueues its transfer, in one transaction (specification, part 3; contract, parts 2 and 9). A repeat with the same
 * reference and URL changes nothing and returns the settlement as it is.
 *
 * @throws Refusal, in this order: `settlement_not_found`, `batch_member`, `validation_failed` (no URL given, here or at creation),
 * `external_tx_id_conflict` or `invalid_state` for a repeat with other values, `invalid_state`, `approval_pending`, `quote_expired`,
 * `quote_changed`, `external_tx_id_conflict` with another settlement, `invalid_wallet_address` where the chain does not let the recipient have it.
 */
export async function confirmSettlement(ctx: Uses<"db">, command: ConfirmSettlement): Promise<SettlementAsShown> {
  if (!isId("settlement", command.id)) throw new Refusal("settlement_not_found");
  try {
    // Over REST this is the transaction that `nonce-reservation.ts` has opened and commits; elsewhere it is a new one. `inTransaction` returns
    // only when all writes below are answered, so the unique index refuses here.
    return await inTransaction(ctx.db, (tx) => confirm(tx, command));
  } catch (error) {
    // Two confirmations with one reference at the same time: the database's unique index accepts the first.
    if (isUniqueViolation(error, "settlements_external_tx_id")) throw referenceTaken(error);
    throw error;
  }
}

async function confirm(tx: Database, command: ConfirmSettlement): Promise<SettlementAsShown> {
  const locked = await lockOrRefuse(tx, command);
  const { settlement, now } = locked;
  const callbackUrl = command.callbackUrl ?? settlement.creationCallbackUrl;
  if (callbackUrl === null) throw urlMissing();
  if (settlement.confirmedAt !== null) {
    refuseOtherValues(settlement, command.externalTxId, callbackUrl);
    return await readSettlementAsShown({ db: tx }, command);
  }
  // Refuses a wrong state, a pending approval and an expired quote, in the contract's order before amount and reference. `now` is the business
  // time, read after the lock. `changeSettlements` judges once more.
  judge(settlement, "confirm", now);
  refuseOtherAmount(locked, command.expectedDestinationAmount);
  if (locked.referenceIsTaken) throw referenceTaken();
  const { externalTxId, screening = null, recipientFault = null } = command;
  if (recipientFault !== null) throw unpayable(recipientFault);
  const { confirmed, held } = await confirmLocked(tx, [{ locked, externalTxId, callbackUrl, screening }], { by: command.by, now });
  // Why the payment does not move yet: a halt that concerns it (`openWait`), or a check that holds it.
  const hold = held.has(settlement.id) ? ({ kind: "hold", since: now } as const) : null;
  return { settlement: confirmed[0] ?? settlement, waiting: locked.openWait ?? hold, hasUndelivered: locked.hasUndelivered };
}

/**
 * Locks the partner's settlement and its limits' counters until the end of the transaction, and reads all that the decision needs. A waiting
 * transaction reads the settlement as the one before it left it.
 */
async function lockOrRefuse(tx: Database, { id, partnerId, externalTxId, by: { actor } }: ConfirmSettlement): Promise<ToConfirm> {
  const apiKeyId = actor.type === "api_key" ? actor.apiKeyId : null;
  const [locked] = await lockToConfirm(tx, [{ id, partnerId, reference: externalTxId, apiKeyId }]);
  if (locked === undefined) throw new Refusal("settlement_not_found");
  refuseMember(locked.settlement);
  return locked;
}

/** A second confirmation must repeat the first one's values. */
function refuseOtherValues(settlement: Settlement, externalTxId: string, callbackUrl: string): void {
  if (settlement.externalTxId !== externalTxId) {
    throw new Refusal("external_tx_id_conflict", { detail: "The settlement was already confirmed under another external_tx_id." });
  }
  if (settlement.callbackUrl !== callbackUrl) {
    throw new Refusal("invalid_state", {
      detail: "The settlement was already confirmed with another callback_url.",
      members: { settlement_status: settlement.status },
    });
  }
}

function refuseOtherAmount({ settlement }: LockedSettlement, expected: Decimal | null): void {
  if (expected === null) return;
  const offered = publishableAmount(settlement.quote.destinationAmountBase, settlement.tokenDecimals);
  if (compare(offered, expected) === 0) return;
  throw new Refusal("quote_changed", {
    detail: `The quote's destination_amount is ${formatDecimal(offered)}.`,
    members: { current_destination_amount: Number(formatDecimal(offered)) },
  });
}

/** A locked settlement to confirm, with its reference and its URL (null for an item of a batch: the batch has the URL). */
export type LockedToConfirm = { locked: ToConfirm; externalTxId: string; callbackUrl: string | null; screening: Screening | null };

/**
 * Confirms locked settlements of a partner, enqueues their transfers, and judges the payments by limits and screening. No check refuses here,
 * because the rate was guaranteed: the payment is held until people release it. Returns the settlements, and the ids of those that are held.
 */
export async function confirmLocked(
  tx: Database,
  confirming: readonly LockedToConfirm[],
  { by, now }: { by: By; now: Date },
): Promise<{ confirmed: Settlement[]; held: ReadonlySet<string> }> {
  // In a batch: the amounts that earlier items use, by limit. `limitVerdicts` adds each payment that no limit holds.
  const counted: Counted = new Map();
  const judged = confirming.map(({ locked, screening }) => {
    const screened = screeningVerdicts(screening);
    const isHeld = screened.some((verdict) => holdingFindings(verdict).length > 0);
    const { purpose, ownerId, partnerId } = paymentOf(locked.settlement, now);
    // A payment that its screening holds must not use up a limit for those after it, so it is judged on a copy.
    const limited = limitVerdicts(locked, isHeld ? new Map(counted) : counted);
    return { purpose, ownerId, partnerId, verdicts: [...limited, ...screened], holds: [] };
  });
  const payments = confirming.map(({ locked }) => newTransfer(paymentOf(locked.settlement, now)));
  // On Citus, a confirmation without any finding commits on its partner's node alone. Its payment waits there.
  const areLeft = layoutOf(tx) === "citus" && confirming.every(({ locked }) => locked.settlement.batchId === null) && judged.every(isPlain);
  const changes = confirming.map(({ locked: { settlement, openWait: waiting }, externalTxId, callbackUrl }, index) => {
    const action = { type: "confirm", externalTxId, callbackUrl } as const;
    const transferId = areLeft ? payments[index]?.id : undefined;
    return { settlement, action, by, waiting, transferId, note: { change: { external_tx_id: externalTxId } } };
  });
  // The status changes before the transfer is written: the database accepts a transfer only of a settlement that is processing.
  const confirmed = await changeSettlements(tx, changes, now);
  // One transfer for each settlement, ever; the commit wakes the worker. Nothing is posted to the ledger before the payment is final.
  if (!areLeft) await enqueueSettlementTransfers(tx, payments);
  // Stores the verdicts and counts the payments in their limits. For each held payment it writes the hold, an audit entry and an event.
  return { confirmed, held: await keepVerdicts(tx, judged, now) };
}

const isPlain = ({ verdicts }: { verdicts: readonly Verdict[] }) => verdicts.every(({ findings }) => findings.length === 0);

function paymentOf(settlement: Settlement, now: Date): EnqueueTransfer {
  const { id: ownerId, partnerId, chain, destinationCurrency: currency, tokenAddress, tokenDecimals, trace, quote } = settlement;
  const amountBase = quote.destinationAmountBase;
  const recipient = settlement.walletAddress;
  return { purpose: "settlement", ownerId, partnerId, chain, currency, tokenAddress, tokenDecimals, amountBase, recipient, trace, now };
}

/** The recipient could not be paid as things are: a plain answer now is better than a failure later. The quote stays as it is. */
export function unpayable(fault: string): Refusal {
  return new Refusal("invalid_wallet_address", {
    detail: fault,
    errors: [{ pointer: "/tx_id", code: "invalid_wallet_address", message: fault }],
  });
}

function urlMissing(): Refusal {
  return new Refusal("validation_failed", {
    errors: [{ pointer: "/callback_url", code: "required", message: "A callback_url is required, here or at creation." }],
  });
}

/** `cause`: the database's error, where two transactions wrote the reference at the same time. */
function referenceTaken(cause?: unknown): Refusal {
  return new Refusal("external_tx_id_conflict", { detail: "Another settlement already uses this external_tx_id.", cause });
}
