import type { Database } from "#db/client.ts";
import { insertAuditEntry } from "#db/queries/audit/audit-entries.ts";
import { pauseOfDescent } from "#db/queries/events/destinations.ts";
import { recordEvents } from "#db/queries/events/record-events.ts";
import type { By } from "#domain/access.ts";
import type { EventDestination } from "#domain/event-destination.ts";
import { destinationEvent } from "./event-of.ts";

type Pausing = { by: By; reason?: string | null; now: Date };

/** Records in the caller's transaction that the service has paused a destination. */
export async function recordPause(tx: Database, paused: EventDestination, { now, ...more }: Pausing): Promise<void> {
  const { id: objectId, partnerId, failingSince, lastError } = paused;
  const change = { failing_since: failingSince?.toISOString() ?? null, error: lastError };
  await insertAuditEntry(tx, { ...more, partnerId, action: "destination.paused", objectId, change, now });
  await recordEvents(tx, [destinationEvent(paused, now)]);
}

/** Pauses what a revoked key, or one that descends from it, created: anyone who had the key may have had events sent to an address of theirs. */
export async function pauseDestinationsOf(tx: Database, keyId: string, pausing: Pausing): Promise<void> {
  for (const paused of await pauseOfDescent(tx, keyId, KEY_REVOKED, pausing.now)) await recordPause(tx, paused, pausing);
}

const KEY_REVOKED = "The key that created it was revoked.";
