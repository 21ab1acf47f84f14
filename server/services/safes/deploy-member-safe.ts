import type { Database } from "#db/client.ts";
import type { Uses } from "#server/context.ts";
import type { Member } from "#server/domain/member.ts";

/**
 * Owes the deployment of a member's Safe, in the caller's transaction. The member is `deploying` until the chain says so.
 *
 * @returns the address that the Safe will have; null while it is not known.
 */
export async function deployMemberSafe(_tx: Database, _ctx: Uses<"chains" | "evm">, _member: Member): Promise<string | null> {
  return null;
}
