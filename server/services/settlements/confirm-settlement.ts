import { type Database, inTransaction, sentTogether } from "#db/client.ts";
import type { LockedSettlement } from "#db/queries/settlements/settlements.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { By } from "#domain/access.ts";
import { compare, type Decimal, formatDecimal } from "#domain/decimal.ts";
import { isId } from "#domain/ids.ts";
import { judge } from "#domain/lifecycle.ts";
import { publishableAmount } from "#domain/money.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Screening } from "#domain/screening.ts";
import type { Settlement, SettlementAsShown } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { askAtConfirm } from "#server/services/holds/confirm-checks.ts";
import { keepVerdicts } from "#server/services/holds/keep-verdicts.ts";
import { confirmVerdicts } from "#server/services/screening/screening-check.ts";
import { type EnqueueTransfer, enqueueTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import { changeSettlement, holdSettlement } from "./change-settlement.ts";
import { readSettlementAsShown } from "./read-settlement.ts";

export type ConfirmSettlement = {
  partnerId: string;
  by: By;
  id: string;
  externalTxId: string;
  /** Already judged by `checkCallbackUrl`; null: the one given at creation serves. */
  callbackUrl: string | null;
  /** The net amount the partner believes it confirms; another value is refused. */
  expectedDestinationAmount: Decimal | null;
  /** What `screenConfirmation` heard of the recipient before this began; left out: nobody was asked. */
  screening?: Screening | null;
};

/**
 * Accepts the quote and owes the transfer, in one transaction (specification, part 3; contract, parts 2 and 9). A repeat with the
 * same reference and URL changes nothing and answers the settlement as it stands.
 *
 * @throws Refusal, in this order: `settlement_not_found`, `validation_failed` (no URL given, here or at creation),
 * `external_tx_id_conflict` or `invalid_state` for a repeat with other values, `invalid_state`, `approval_pending`,
 * `quote_expired`, `quote_changed`, `external_tx_id_conflict` with another settlement.
 */
export async function confirmSettlement(ctx: Uses<"db">, command: ConfirmSettlement): Promise<SettlementAsShown> {
  if (!isId("settlement", command.id)) throw new Refusal("settlement_not_found");
  try {
    return await inTransaction(ctx.db, (tx) => confirm(tx, command));
  } catch (error) {
    if (isUniqueViolation(error, "settlements_external_tx_id")) throw referenceTaken();
    throw error;
  }
}

async function confirm(tx: Database, command: ConfirmSettlement): Promise<SettlementAsShown> {
  const { id, partnerId, externalTxId, by } = command;
  // Sent together, in this order.
  const [held, judgeChecks] = await Promise.all([
    holdSettlement(tx, id, { partnerId, reference: externalTxId }),
    askAtConfirm(tx, { settlementId: id, partnerId, by }),
  ]);
  const callbackUrl = command.callbackUrl ?? held.settlement.creationCallbackUrl;
  if (callbackUrl === null) throw urlMissing();
  if (held.settlement.confirmedAt !== null) {
    refuseOtherValues(held.settlement, externalTxId, callbackUrl);
    return await readSettlementAsShown({ db: tx }, command);
  }
  // State and clock are judged before the values are: the contract gives the order.
  judge(held.settlement, "confirm", held.now);
  refuseOtherAmount(held, command.expectedDestinationAmount);
  if (held.referenceIsTaken) throw referenceTaken();
  const note = { change: { external_tx_id: externalTxId } };
  const debt = debtOf(held);
  // A guaranteed settlement does not fail by what a check says: it waits.
  const verdicts = [...judgeChecks(held), ...confirmVerdicts(command.screening ?? null)];
  // Sent together.
  const [settlement, , heldOwners] = await sentTogether(
    changeSettlement(tx, held, { type: "confirm", externalTxId, callbackUrl }, by, note),
    enqueueTransfer(tx, debt),
    keepVerdicts(tx, [{ ...debt, verdicts, holds: [] }], held.now),
  );
  const waiting = heldOwners.has(debt.ownerId) ? ({ kind: "hold", since: held.now } as const) : null;
  return { settlement, waiting: held.standing ?? waiting, hasUndelivered: held.hasUndelivered };
}

function debtOf({ settlement, now }: LockedSettlement): EnqueueTransfer {
  const {
    id: ownerId,
    partnerId,
    chain,
    destinationCurrency: currency,
    tokenAddress,
    tokenDecimals,
    walletAddress,
    trace,
    quote,
  } = settlement;
  const amountBase = quote.destinationAmountBase;
  const debt = { ownerId, partnerId, chain, currency, tokenAddress, tokenDecimals, amountBase, recipient: walletAddress, trace, now };
  return { purpose: "settlement", ...debt };
}

/** A repeat changes nothing, and must be one. */
function refuseOtherValues(settlement: Settlement, externalTxId: string, callbackUrl: string): void {
  if (settlement.externalTxId !== externalTxId) {
    throw new Refusal("external_tx_id_conflict", { detail: "The settlement was confirmed under another external_tx_id." });
  }
  if (settlement.callbackUrl !== callbackUrl) {
    throw new Refusal("invalid_state", {
      detail: "The settlement was confirmed with another callback_url.",
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

function urlMissing(): Refusal {
  return new Refusal("validation_failed", {
    errors: [{ pointer: "/callback_url", code: "required", message: "A callback_url is required, here or at creation." }],
  });
}

function referenceTaken(): Refusal {
  return new Refusal("external_tx_id_conflict", { detail: "Another settlement was confirmed under this external_tx_id." });
}
