import { sentTogether } from "#db/client.ts";
import { areLimitsInForce, expectsLimits, rememberLimits } from "#db/queries/exposure/in-force.ts";
import { type LockedSettlement, lockForChange } from "#db/queries/settlements/settlements.ts";
import { isUniqueViolation } from "#db/trouble.ts";
import type { By } from "#domain/access.ts";
import { compare, type Decimal, formatDecimal } from "#domain/decimal.ts";
import { isId } from "#domain/ids.ts";
import { judge } from "#domain/lifecycle.ts";
import { publishableAmount } from "#domain/money.ts";
import type { Verdict } from "#domain/payment-check.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Screening } from "#domain/screening.ts";
import type { Settlement, SettlementAsShown } from "#domain/settlement.ts";
import type { Uses } from "#server/context.ts";
import { askAtConfirm } from "#server/services/holds/confirm-checks.ts";
import { keepVerdicts } from "#server/services/holds/keep-verdicts.ts";
import { confirmVerdicts } from "#server/services/screening/screening-check.ts";
import { type EnqueueTransfer, enqueueTransfers } from "#server/services/transfers/enqueue-transfer.ts";
import { changeSettlements, heldOf, type SettlementChange } from "./change-settlement.ts";
import { changedTogether } from "./change-together.ts";
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
    return await confirmTogether(ctx, command);
  } catch (error) {
    if (isUniqueViolation(error, "settlements_external_tx_id")) throw referenceTaken(error);
    throw error;
  }
}

/** `confirmed` null: a repeat, which changes nothing. */
type Accepted = { command: ConfirmSettlement; held: LockedSettlement; confirmed: Confirmed | null };
type Confirmed = { callbackUrl: string; verdicts: readonly Verdict[] };

const confirmTogether = changedTogether<ConfirmSettlement, Accepted, SettlementAsShown>({
  touches: ({ id, partnerId, externalTxId }) => [id, `${partnerId} ${externalTxId}`],
  async hold(tx, commands) {
    const confirmations = commands.map(({ id: settlementId, partnerId, by }) => ({ settlementId, partnerId, by }));
    const isExpected = commands.some(({ partnerId }) => expectsLimits(partnerId));
    // Sent together, in this order: what came into force while the first waited for its locks counts. Where there is no limit, none is asked.
    const [locked, areInForce, asked] = await Promise.all([
      lockForChange(
        tx,
        commands.map(({ id, partnerId, externalTxId: reference }) => ({ id, partnerId, reference })),
      ),
      isExpected || areLimitsInForce(tx),
      isExpected ? askAtConfirm(tx, confirmations) : null,
    ]);
    if (!isExpected) for (const { partnerId } of commands) rememberLimits(partnerId, areInForce);
    const judgeChecks = asked ?? (await askAtConfirm(tx, areInForce ? confirmations : []));
    return (command) => {
      const held = heldOf(locked, command.id);
      const callbackUrl = judgeOne(held, command);
      if (callbackUrl === null) return { command, held, confirmed: null };
      // A guaranteed settlement does not fail by what a check says: it waits.
      const verdicts = judgeChecks(held, confirmVerdicts(command.screening ?? null));
      return { command, held, confirmed: { callbackUrl, verdicts } };
    };
  },
  async write(tx, accepted) {
    const { now } = accepted[0].held;
    const made = accepted.flatMap(({ command, held, confirmed }) =>
      confirmed === null ? [] : [{ change: changeOf(command, held, confirmed), debt: debtOf(held), verdicts: confirmed.verdicts }],
    );
    const changes = made.map(({ change }) => change);
    const debts = made.map(({ debt }) => debt);
    const judged = made.map(({ debt, verdicts }) => ({ ...debt, verdicts, holds: [] }));
    // Sent together.
    const [changed, , heldOwners] = await sentTogether(
      changeSettlements(tx, changes, now),
      enqueueTransfers(tx, debts),
      keepVerdicts(tx, judged, now),
    );
    const after = new Map(changed.map((settlement) => [settlement.id, settlement]));
    return await Promise.all(
      accepted.map(async ({ command, held: { standing, hasUndelivered } }) => {
        const settlement = after.get(command.id);
        if (settlement === undefined) return await readSettlementAsShown({ db: tx }, command);
        const waiting = heldOwners.has(command.id) ? ({ kind: "hold", since: now } as const) : null;
        return { settlement, waiting: standing ?? waiting, hasUndelivered };
      }),
    );
  },
});

/** The URL that its callbacks go to; null: it is confirmed already, and this is a repeat. */
function judgeOne(held: LockedSettlement, command: ConfirmSettlement): string | null {
  const callbackUrl = command.callbackUrl ?? held.settlement.creationCallbackUrl;
  if (callbackUrl === null) throw urlMissing();
  if (held.settlement.confirmedAt !== null) {
    refuseOtherValues(held.settlement, command.externalTxId, callbackUrl);
    return null;
  }
  // State and clock are judged before the values are: the contract gives the order.
  judge(held.settlement, "confirm", held.now);
  refuseOtherAmount(held, command.expectedDestinationAmount);
  if (held.referenceIsTaken) throw referenceTaken();
  return callbackUrl;
}

function changeOf({ externalTxId, by }: ConfirmSettlement, { settlement }: LockedSettlement, { callbackUrl }: Confirmed): SettlementChange {
  return { settlement, action: { type: "confirm", externalTxId, callbackUrl }, by, note: { change: { external_tx_id: externalTxId } } };
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

/** `cause`: of the database, where two were written at the same time. */
function referenceTaken(cause?: unknown): Refusal {
  return new Refusal("external_tx_id_conflict", { detail: "Another settlement was confirmed under this external_tx_id.", cause });
}
