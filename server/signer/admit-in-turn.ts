import type { Desk } from "./desk.ts";

/** One after another, because what one admits counts for the caps of the next. Without caps several share one write. */
export async function inTurn<Result>(desk: Desk, work: () => Promise<Result>): Promise<Result> {
  if (desk.caps.length === 0) return await work();
  const done = desk.turn.then(work);
  desk.turn = done.catch(() => {});
  return await done;
}
