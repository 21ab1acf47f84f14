import type { Settlement } from "#domain/settlement.ts";
import { isLinearizable, type Operation } from "#fault/linearizable.ts";
import { EPOCH } from "./scheduler.ts";
import type { SettlementWorld } from "./settlements-world.ts";
import { tables } from "./tables/rows.ts";

/**
 * The model: every answer that was given can have happened one after the other; a quote was taken before it ran out or not at all; what is
 * confirmed owes one payment of the amount that was agreed, and each end and each approval one callback.
 */
export function judgeSettlements({ fought, violations }: SettlementWorld): void {
  const say = (line: string) => void violations.push(line);
  for (const { id, initial, operations, expiresAt } of fought) {
    const settlement = tables().settlements.rows.get(id)?.settlement;
    if (settlement === undefined) {
      say(`${id} is lost`);
      continue;
    }
    if (
      !isLinearizable(
        operations.filter((one) => !isExpiry(one)),
        initial,
      )
    )
      say(`${id}: ${JSON.stringify(operations)}`);
    judgeExpiry(settlement, operations, expiresAt, say);
    judgePayment(settlement, say);
  }
}

/** The model knows no clock: whom it was too late for is judged apart. */
const isExpiry = ({ said }: Operation) => said !== null && "refused" in said && said.refused === "quote_expired";

function judgeExpiry(
  { id, quote, confirmedAt }: Settlement,
  operations: readonly Operation[],
  firstExpiry: number,
  say: (line: string) => void,
): void {
  const lastExpiry = quote.expiresAt.getTime() - EPOCH;
  if (confirmedAt !== null && confirmedAt.getTime() - EPOCH >= lastExpiry) say(`${id} was confirmed after its quote had run out`);
  for (const one of operations) {
    if (isExpiry(one) && one.to < firstExpiry) say(`${id} was said to have run out ${firstExpiry - one.to} ms before it did`);
    if (one.action.type === "confirm" && one.said !== null && "status" in one.said && one.from >= lastExpiry && confirmedAt === null)
      say(`${id} was confirmed too late`);
  }
}

function judgePayment({ id, status, approvalState, quote, confirmedAt, externalTxId }: Settlement, say: (line: string) => void): void {
  const { transfers, callbacks } = tables();
  const owed = [...transfers.rows.values()].filter(({ transfer }) => transfer.ownerId === id).map(({ transfer }) => transfer);
  if (owed.length !== (confirmedAt === null ? 0 : 1)) say(`${id} is ${status}, and owes ${owed.length} payments`);
  if (owed.some(({ amountBase }) => amountBase !== quote.destinationAmountBase))
    say(`${id} owes ${owed[0]?.amountBase}, and agreed on ${quote.destinationAmountBase}`);
  if ((confirmedAt === null) !== (externalTxId === null))
    say(`${id} has reference ${externalTxId}, confirmed at ${confirmedAt?.toISOString()}`);
  const events = [...callbacks.rows.values()].filter(({ subjectId }) => subjectId === id).map(({ event }) => event);
  const promised = [
    ...(approvalState === "approved" ? ["settlement.approved"] : []),
    ...(status === "executed" ? ["settlement.executed"] : []),
  ];
  if (events.sort().join() !== promised.sort().join())
    say(`${id} is ${status} (${approvalState}), and announces ${events.join() || "nothing"}`);
}
