import { isSameMetadata, type Metadata } from "#domain/metadata.ts";
import { Refusal } from "#domain/refusal.ts";
import type { Topup } from "#domain/topup.ts";
import type { Withdrawal } from "#domain/withdrawal.ts";

type Noted = { metadata?: Metadata | null };
type Order = "externalUserId" | "amountMinor" | "currency" | "chain" | "callbackUrl";

/** Whether this request created the withdrawal: every field of the body is equal (contract, part 9). */
export function isSameWithdrawal(
  earlier: Withdrawal,
  request: Pick<Withdrawal, Order | "sourceCurrency" | "destination"> & Noted,
): boolean {
  return (
    earlier.externalUserId === request.externalUserId &&
    earlier.amountMinor === request.amountMinor &&
    earlier.currency === request.currency &&
    earlier.sourceCurrency === request.sourceCurrency &&
    earlier.chain === request.chain &&
    earlier.callbackUrl === request.callbackUrl &&
    earlier.destination.type === request.destination.type &&
    earlier.destination.account === request.destination.account &&
    earlier.destination.name === request.destination.name &&
    isSameMetadata(earlier.metadata, request.metadata ?? null)
  );
}

/** As {@link isSameWithdrawal}, of a top-up. */
export function isSameTopup(earlier: Topup, request: Pick<Topup, Order | "destinationCurrency" | "source"> & Noted): boolean {
  return (
    earlier.externalUserId === request.externalUserId &&
    earlier.amountMinor === request.amountMinor &&
    earlier.currency === request.currency &&
    earlier.destinationCurrency === request.destinationCurrency &&
    earlier.chain === request.chain &&
    earlier.callbackUrl === request.callbackUrl &&
    earlier.source.type === request.source.type &&
    earlier.source.account === request.source.account &&
    isSameMetadata(earlier.metadata, request.metadata ?? null)
  );
}

export function externalIdTaken(): Refusal {
  return new Refusal("conflict", { detail: "Another request already used this external_id." });
}
