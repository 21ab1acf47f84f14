import { findDestination, listBatchDestinations } from "#db/queries/screening/destinations.ts";
import { isId } from "#domain/ids.ts";
import type { Destination, Screening } from "#domain/screening.ts";
import type { Uses } from "#server/context.ts";
import { recallDestination } from "./known-destinations.ts";

/** If the database is unavailable, the caller's next statement reports it. */
const PATIENCE_MS = 1_000;

/**
 * Screens the recipient of a settlement before its confirmation, outside of any transaction because it waits for the network. null: nothing
 * is screened, or the partner has no such settlement. Sources that could not be asked here are asked before signing.
 */
export async function screenConfirmation(
  ctx: Uses<"db" | "screener">,
  { id, partnerId }: { id: string; partnerId: string },
): Promise<Screening | null> {
  if (!ctx.screener.isOn || !isId("settlement", id)) return null;
  const destination = recallDestination(id, partnerId) ?? (await inTime(findDestination(ctx.db, id, partnerId)));
  if (destination === null) return null;
  const [screening] = await ctx.screener.screen([destination], "confirm");
  return screening ?? null;
}

/** The same of each item of a batch, by the items' ids. A recipient of several items is asked about once. */
export async function screenBatch(
  ctx: Uses<"db" | "screener">,
  { id, partnerId }: { id: string; partnerId: string },
): Promise<ReadonlyMap<string, Screening>> {
  if (!ctx.screener.isOn || !isId("batch", id)) return new Map();
  const destinations = (await inTime(listBatchDestinations(ctx.db, id, partnerId))) ?? new Map<string, Destination>();
  const distinct = new Map([...destinations.values()].map((destination) => [JSON.stringify(destination), destination]));
  const screenings = await ctx.screener.screen([...distinct.values()], "confirm");
  const found = new Map([...distinct.keys()].map((key, place) => [key, screenings[place]]));
  return new Map(
    [...destinations].flatMap(([itemId, destination]) => {
      const screening = found.get(JSON.stringify(destination));
      return screening === undefined ? [] : [[itemId, screening] as const];
    }),
  );
}

async function inTime<Found>(reading: Promise<Found>): Promise<Found | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  return await Promise.race([reading.catch(() => null), patience]).finally(() => clearTimeout(timer));
}
