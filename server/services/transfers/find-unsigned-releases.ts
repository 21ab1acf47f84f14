import { paymentReleaseBody } from "#contract/proposal-bodies.ts";
import type { KeptSignature } from "#db/queries/proposals/decision-signatures.ts";
import { listReleasedHolds, listReleaseSignatures } from "#db/queries/proposals/release-signatures.ts";
import { canonicalJson } from "#domain/canonical-json.ts";
import type { Transfer } from "#domain/transfer.ts";
import { OLD_ENOUGH_MS } from "#domain/two-people.ts";
import type { Uses } from "#server/context.ts";
import { verifySignature } from "#server/services/proposals/verify-signature.ts";
import { showPayment } from "./show-payment.ts";

type Powers = Uses<"db" | "passkeys" | "policy" | "mode" | "clock">;

/**
 * Which of these payments were released from a hold that no second person's passkey has signed away, in live mode. A row that says `released`
 * counts for nothing here: the signed record names the payment, the hold and somebody else who proposed it.
 *
 * @returns by the payment's id, what is missing
 */
export async function findUnsignedReleases(ctx: Powers, payments: readonly Transfer[]): Promise<Map<string, string>> {
  if (ctx.mode !== "live" || ctx.policy.signedApprovals === null || payments.length === 0) return new Map();
  const released = await listReleasedHolds(
    ctx.db,
    payments.map(({ ownerId }) => ownerId),
  );
  const held = payments.flatMap((transfer) => {
    const holds = released.filter(({ purpose, ownerId }) => purpose === transfer.purpose && ownerId === transfer.ownerId);
    return holds.length === 0 ? [] : [{ transfer, holds }];
  });
  if (held.length === 0) return new Map();
  const kept = await listReleaseSignatures(
    ctx.db,
    held.map(({ transfer }) => transfer.id),
  );
  const unsigned = new Map<string, string>();
  for (const { transfer, holds } of held) {
    const [signed, faults] = [new Set<string>(), [] as string[]];
    for (const one of kept.filter(({ transferId }) => transferId === transfer.id)) {
      const found = await holdsIn(ctx, one, transfer);
      if (typeof found === "string") faults.push(found);
      else for (const id of found) signed.add(id);
    }
    const why = faults.length === 0 ? "" : `: ${[...new Set(faults)].join(", ")}`;
    if (holds.some(({ id }) => !signed.has(id))) unsigned.set(transfer.id, `No passkey has signed its release from a hold${why}.`);
  }
  return unsigned;
}

/** The holds that a signature releases the payment from; a text: why it releases it from none. */
async function holdsIn(ctx: Powers, one: KeptSignature, transfer: Transfer): Promise<string[] | string> {
  const verified = await verifySignature(ctx, one);
  if ("fault" in verified) return verified.fault;
  const { subject, person, facts } = verified.record;
  const body = paymentReleaseBody.safeParse(facts.body);
  if (subject !== one.objectId || facts.kind !== "payment_release" || !body.success) return "it is over another proposal";
  const { holds, purpose, ...shown } = body.data;
  const isSame = purpose === transfer.purpose && canonicalJson(shown) === canonicalJson(showPayment(transfer));
  if (facts.about !== transfer.id || !isSame) return "it is over another payment";
  if (facts.proposed_by === `user:${person}`) return "its person proposed the release";
  const isYoung = one.key === null || ctx.clock.now().getTime() - one.key.registeredAt.getTime() < OLD_ENOUGH_MS;
  return isYoung ? "its passkey is younger than a day" : holds.map(({ id }) => id);
}
