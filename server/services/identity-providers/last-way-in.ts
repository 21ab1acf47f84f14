import type { Database } from "#db/client.ts";
import { findDuty } from "#db/queries/identity-providers/providers.ts";

type Asked = { partnerId: string | null; managers: ReadonlySet<string>; userId: string };

/**
 * Whether nobody could let people in any more without that person. Where single sign-on is a duty, only a manager who keeps a passkey can, on
 * the day the provider is gone. `managers`: those of the side, locked.
 */
export async function isLastWayIn(db: Database, { partnerId, managers, userId }: Asked): Promise<boolean> {
  const duty = await findDuty(db, partnerId);
  const keepers = (duty?.settings.keeperIds ?? []).filter((id) => managers.has(id));
  const waysIn = keepers.length > 0 ? keepers : [...managers];
  return waysIn.length === 1 && waysIn[0] === userId;
}
