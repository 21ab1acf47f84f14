import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "#db/client.ts";
import { auditEntries } from "#db/schema/audit-log.ts";

/** What the audit log has about a person's devices, by the names of the actions. */
const ABOUT_DEVICES = ["user.passkey_added", "user.two_factors_on", "user.two_factors_reset"] as const;

export type DeviceEntry = {
  id: string;
  at: Date;
  action: (typeof ABOUT_DEVICES)[number];
  /** Who did it. */
  actorId: string | null;
  passkeyId: string | null;
  address: string | null;
  userAgent: string | null;
};

/** The newest first. A person has ten passkeys at most, so an older entry than these says nothing about a present device. */
const READ = 200;

/** When and from where a person's devices were added, and who reset them. */
export async function listDeviceEntries(db: Database, userId: string): Promise<DeviceEntry[]> {
  const inChange = (name: string) => sql<string | null>`${auditEntries.change} ->> ${name}`;
  const rows = await db
    .select({
      id: auditEntries.id,
      at: auditEntries.at,
      action: auditEntries.action,
      actorId: auditEntries.actorId,
      passkeyId: inChange("passkey_id"),
      address: inChange("address"),
      userAgent: inChange("user_agent"),
    })
    .from(auditEntries)
    .where(and(eq(auditEntries.objectId, userId), inArray(auditEntries.action, ABOUT_DEVICES)))
    .orderBy(desc(auditEntries.id))
    .limit(READ);
  return rows.flatMap((row) => {
    const action = ABOUT_DEVICES.find((each) => each === row.action);
    return action === undefined ? [] : [{ ...row, action }];
  });
}
