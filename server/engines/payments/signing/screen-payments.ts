import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { lockTransfers } from "#db/queries/transfers/transfers.ts";
import type { Screening } from "#domain/screening.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { Uses } from "#server/context.ts";
import type { Observe } from "#server/engines/duty.ts";
import { holdScreened, listDestinations, screenedPurposes } from "#server/services/screening/screening-check.ts";

/** What may go on, and what was said of whom it pays, by transfer: the evidence that is stored with the signed bytes. */
export type Screened = { payable: readonly Transfer[]; screenings: ReadonlyMap<string, Screening> };

type Screens = { engine: { ctx: Uses<"db" | "screener">; step: Observe<"held"> } };

/**
 * Asks about all recipients of a batch at once, before anything is simulated: what is not clear is held, and nothing else is tried with it.
 * Without screening everything goes on, with nothing said of it.
 */
export async function screenPayments({ engine }: Screens, claimed: readonly Transfer[], token: string): Promise<Screened> {
  const { db, screener } = engine.ctx;
  const purposes = screenedPurposes(screener);
  const asked = claimed.filter(({ purpose }) => purposes.has(purpose));
  if (!screener.isOn || asked.length === 0) return { payable: claimed, screenings: new Map() };
  const said = await screener.screen(await listDestinations(db, asked), "sign");
  const screenings = new Map(asked.flatMap(({ id }, index) => (said[index] ? [[id, said[index]] as const] : [])));
  const unclear = asked.filter(({ id }) => screenings.get(id)?.outcome !== "clear").map(({ id }) => id);
  if (unclear.length === 0) return { payable: claimed, screenings };
  const held = await db.transaction(async (tx) => {
    const locked = await lockTransfers(tx, unclear, token);
    const queued = locked.filter(({ state }) => state === "queued");
    return await holdScreened(tx, queued, screenings, await readBusinessNow(tx));
  });
  engine.step("held");
  return { payable: claimed.filter(({ id }) => !held.has(id)), screenings };
}
