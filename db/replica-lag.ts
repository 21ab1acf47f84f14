/** A place in the primary's log, and when it was seen there (this process's own clock, which never steps back). */
export type Place = { at: number; position: bigint };

/**
 * How far behind a standby is that has replayed up to `replayed`: the time since the oldest position was seen that it has not reached.
 * Null: nothing is known yet. `passed`: how many of the oldest positions are no longer needed.
 */
export function behindOf(places: readonly Place[], replayed: bigint, now: number): { lagMs: number | null; passed: number } {
  const ahead = places.findIndex(({ position }) => position > replayed);
  if (places.length === 0) return { lagMs: null, passed: 0 };
  if (ahead === -1) return { lagMs: 0, passed: places.length - 1 };
  const first = places[ahead];
  // It may have stopped long before the first observation.
  if (ahead === 0 && places.length < 2) return { lagMs: null, passed: 0 };
  return { lagMs: first === undefined ? null : now - first.at, passed: Math.max(0, ahead - 1) };
}
