import type { Database } from "#db/client.ts";
import { findOpenHalts } from "#db/queries/halts/lane-halts.ts";
import type { Lane } from "#domain/lane.ts";

/** Whether one of the lanes stands. Ask for every lane that the deed concerns: a payment's wallet, chain and partner. */
export async function isHalted(db: Database, lanes: readonly Lane[]): Promise<boolean> {
  return (await findOpenHalts(db, lanes)).length > 0;
}
