import type { Database } from "#db/client.ts";
import { type CapSignature, listCapSignatures } from "#db/queries/proposals/cap-signatures.ts";
import { ABOVE_CAP_SIGNERS, aboveCapFault } from "#domain/above-cap.ts";
import type { CapPeriod } from "#domain/signer-caps.ts";
import type { Transfer } from "#domain/transfer.ts";
import { OLD_ENOUGH_MS } from "#domain/two-people.ts";
import type { Uses } from "#server/context.ts";
import { verifySignature } from "#server/services/proposals/verify-signature.ts";

/** A payment above a cap of the signer. */
export type AboveCap = { transfer: Transfer; period: CapPeriod };
/** The different people whose signatures count, and why others do not. */
export type CapSigners = { signers: string[]; faults: string[] };
/** By the transfer's id, why the payment stays below the cap; null: two people let it go above. */
export type FindAboveCap = (db: Database, payments: readonly AboveCap[]) => Promise<ReadonlyMap<string, string | null>>;
type Powers = Uses<"passkeys" | "mode" | "clock">;

/** Whether two different admins have signed that exactly this payment goes above the cap (docs/decisions/signed-decisions.md). */
export function aboveCapOf(ctx: Powers): FindAboveCap {
  return async (db, payments) => {
    const found = await findCapSigners({ ...ctx, db }, payments);
    return new Map([...found].map(([id, signed]) => [id, shortfall(signed)]));
  };
}

/** Whose signatures count, by the transfer's id. No row is believed but the register's key, and what its people are now. */
export async function findCapSigners(ctx: Powers & { db: Database }, payments: readonly AboveCap[]): Promise<Map<string, CapSigners>> {
  const kept = await listCapSignatures(
    ctx.db,
    payments.map(({ transfer }) => transfer.id),
  );
  const found = new Map<string, CapSigners>();
  for (const payment of payments) {
    const [signers, faults] = [new Set<string>(), [] as string[]];
    for (const one of kept.filter(({ objectId }) => objectId === payment.transfer.id)) {
      const fault = await signatureFault(ctx, one, payment);
      if (fault === null) signers.add(one.userId);
      else faults.push(fault);
    }
    found.set(payment.transfer.id, { signers: [...signers], faults });
  }
  return found;
}

async function signatureFault(ctx: Powers, one: CapSignature, { transfer, period }: AboveCap): Promise<string | null> {
  const verified = await verifySignature(ctx, one);
  if ("fault" in verified) return verified.fault;
  const now = ctx.clock.now();
  const fault = aboveCapFault(verified.record, transfer, period, now);
  if (fault !== null) return fault;
  if (!one.isCurrent) return "its passkey was removed";
  if (!one.isAdmin) return "its person is no admin any more";
  if (one.isAsker) return "its person has asked for the payment";
  if (ctx.mode !== "live") return null;
  if (!one.isConfirmed) return "nobody has confirmed its person's devices";
  const isYoung = one.key === null || now.getTime() - one.key.registeredAt.getTime() < OLD_ENOUGH_MS;
  return isYoung ? "its passkey is younger than a day" : null;
}

function shortfall({ signers, faults }: CapSigners): string | null {
  if (signers.length >= ABOVE_CAP_SIGNERS) return null;
  const uncounted = faults.length === 0 ? "" : ` A signature does not count: ${[...new Set(faults)].join(", ")}.`;
  return signers.length + faults.length === 0 ? "" : `${signers.length} of ${ABOVE_CAP_SIGNERS} have signed.${uncounted}`;
}
