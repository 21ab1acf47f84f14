import { listPeoplesSignatures, type PersonSignature } from "#db/queries/proposals/peoples-signatures.ts";
import type { DecisionRecord, SignedAction } from "#domain/signed-decision.ts";
import { OLD_ENOUGH_MS } from "#domain/two-people.ts";
import type { Uses } from "#server/context.ts";
import { verifySignature } from "./verify-signature.ts";

/** The different people whose signatures count, and why others do not. */
export type Signed = { signers: string[]; faults: string[] };
/** What is to be signed. `fault`: why a record is not of exactly that. */
export type ToSign = { id: string; fault(record: DecisionRecord): string | null };
type Powers = Uses<"db" | "passkeys" | "mode" | "clock">;

/**
 * Which admins have signed the action over each object, by its id. No row is believed but the register's key, and what its people are now
 * (docs/decisions/signed-decisions.md).
 */
export async function findSigners(ctx: Powers, action: SignedAction, objects: readonly ToSign[]): Promise<Map<string, Signed>> {
  const kept = await listPeoplesSignatures(
    ctx.db,
    action,
    objects.map(({ id }) => id),
  );
  const found = new Map<string, Signed>();
  for (const object of objects) {
    const [signers, faults] = [new Set<string>(), [] as string[]];
    for (const one of kept.filter(({ objectId }) => objectId === object.id)) {
      const fault = await signatureFault(ctx, one, object);
      if (fault === null) signers.add(one.userId);
      else faults.push(fault);
    }
    found.set(object.id, { signers: [...signers], faults });
  }
  return found;
}

async function signatureFault(ctx: Powers, one: PersonSignature, object: ToSign): Promise<string | null> {
  const verified = await verifySignature(ctx, one);
  if ("fault" in verified) return verified.fault;
  const fault = object.fault(verified.record);
  if (fault !== null) return fault;
  if (!one.isCurrent) return "its passkey was removed";
  if (!one.isAdmin) return "its person is no admin any more";
  if (one.isAsker) return "its person has asked for the payment";
  if (ctx.mode !== "live") return null;
  if (!one.isConfirmed) return "nobody has confirmed its person's devices";
  const isYoung = one.key === null || ctx.clock.now().getTime() - one.key.registeredAt.getTime() < OLD_ENOUGH_MS;
  return isYoung ? "its passkey is younger than a day" : null;
}
