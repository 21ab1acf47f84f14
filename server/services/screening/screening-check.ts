import type { Database } from "#db/client.ts";
import { listWithdrawals } from "#db/queries/fiat/withdrawals.ts";
import { listHoldsOf } from "#db/queries/holds/payment-holds.ts";
import type { Verdict } from "#domain/payment-check.ts";
import { type Destination, PAYEES, type Screening, screeningFindings, unasked } from "#domain/screening.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Screener } from "#server/ports.ts";
import type { SigningCheck } from "#server/services/holds/check-kinds.ts";
import { isHeldBy, keepVerdicts } from "#server/services/holds/keep-verdicts.ts";

type Purposes = ReadonlySet<Transfer["purpose"]>;
/** What the treasury pays to others' wallets. The rest moves between our own wallets and the Safes, or moves nothing. */
const SCREENED: Purposes = new Set(["settlement", "topup"]);
/** With what takes a Safe's crypto for a payout: its payee is screened by name. */
const WITH_PAYEES: Purposes = new Set([...SCREENED, "sweep"]);

export function screenedPurposes({ screensPayees }: Pick<Screener, "screensPayees">): Purposes {
  return screensPayees ? WITH_PAYEES : SCREENED;
}

/** Whom each of these pays. Of a sweep it is the payee of its withdrawal. */
export async function listDestinations(db: Database, transfers: readonly Transfer[]): Promise<Destination[]> {
  const sweeps = transfers.flatMap(({ purpose, ownerId }) => (purpose === "sweep" ? [ownerId] : []));
  const names = new Map((await listWithdrawals(db, sweeps)).map(({ id, destination }) => [id, destination.name]));
  return transfers.map((transfer) => destinationOf(transfer, names.get(transfer.ownerId)));
}

function destinationOf({ chain, tokenAddress, recipient: address }: Transfer, payee?: string): Destination {
  return payee === undefined ? { chain, tokenAddress, address } : { chain: PAYEES, tokenAddress: null, address: payee };
}

/** The screening of a settlement's recipient at its confirmation. Empty if no source was asked: they are asked before signing. */
export function screeningVerdicts(screening: Screening | null): Verdict[] {
  return screening === null ? [] : [{ check: "screening", stage: "confirm", findings: screeningFindings(screening) }];
}

/**
 * The check of payments whose recipients were just screened, by the transfers' ids. A payment that is missing was not screened, and is
 * held.
 */
export function screeningCheck(screened: ReadonlyMap<string, Screening>, purposes: Purposes = SCREENED): SigningCheck {
  const findingsOf = (transfer: Transfer, now: Date) =>
    screeningFindings(screened.get(transfer.id) ?? unasked(destinationOf(transfer), "it was to be signed without being asked about", now));
  return {
    check: "screening",
    purposes,
    judge: async (_tx, payments, { now }) => new Map(payments.map(({ transfer }) => [transfer.id, findingsOf(transfer, now)])),
  };
}

/**
 * Holds those payments that their screening holds, before anything else happens to them. The transfers are locked and queued.
 *
 * @returns the ids of those that must not be signed
 */
export async function holdScreened(
  tx: Database,
  transfers: readonly Transfer[],
  screened: ReadonlyMap<string, Screening>,
  now: Date,
): Promise<Set<string>> {
  const owners = transfers.map(({ ownerId }) => ownerId);
  const known = await listHoldsOf(tx, owners);
  const judged = transfers.flatMap(({ id, purpose, ownerId, partnerId }) => {
    const screening = screened.get(id);
    if (screening === undefined) return [];
    const holds = known.filter((hold) => hold.ownerId === ownerId && hold.purpose === purpose);
    const verdicts = [{ check: "screening" as const, stage: "sign" as const, findings: screeningFindings(screening) }];
    return [{ id, purpose, ownerId, partnerId, holds, verdicts, wasHeld: holds.some(({ outcome }) => outcome === "open") }];
  });
  const held = judged.filter((payment) => !payment.wasHeld && isHeldBy(payment));
  await keepVerdicts(tx, held, now);
  return new Set([...held, ...judged.filter(({ wasHeld }) => wasHeld)].map(({ id }) => id));
}
