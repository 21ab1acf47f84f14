import { median } from "#bench/rounds.ts";
import { type Outcome, rule } from "#fault/outcome.ts";
import type { Sample } from "./samples.ts";

/** By how many MB an hour a process may grow once it is warm. V8 and malloc give some of what they hold back only under pressure. */
export const MAY_GROW_MB: Readonly<Record<string, number>> = { web: 32, worker: 16, signer: 16, driver: 32 };
/** Code is loaded, caches fill, and tables get their first statistics. */
const WARM_SHARE = 0.25;
const SHORTEST_MINUTES = 20;
/** Of its live rows, and what this many minutes of the load leave behind: a vacuum comes once a minute, to tables with a fifth of dead rows. */
const DEAD = { share: 0.4, minutes: 3, ofASettlement: 20 };
const OLDEST_SECONDS = 120;

/** Samples of the warm service. `from`: the signer's begin when it is killed no more. */
function warm(samples: readonly Sample[], from = WARM_SHARE): readonly Sample[] {
  const last = samples.at(-1)?.minute ?? 0;
  return samples.filter(({ minute }) => minute >= last * from);
}

/** MB an hour, as the median of the slopes between every two samples (Theil and Sen); null: too short a time. */
export function growthMb(samples: readonly Sample[], process: string, from?: number): number | null {
  const points = warm(samples, from).map(({ minute, memoryMb }) => ({ minute, mb: memoryMb[process] ?? 0 }));
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || last.minute - first.minute < SHORTEST_MINUTES) return null;
  return (
    60 * median(points.flatMap((one, index) => points.slice(index + 1).map((other) => (other.mb - one.mb) / (other.minute - one.minute))))
  );
}

/** From which share of the run on each process is watched: the signer, once it is killed no more. */
export const WATCHED_FROM: Readonly<Record<string, number>> = { signer: 0.6 };

/** What must not grow. Memory is judged only where the run was long enough to show a slope. */
export function trendsOf(samples: readonly Sample[], rate: number): Outcome[] {
  const grown = Object.entries(MAY_GROW_MB).flatMap(([process, limit]) => {
    const growth = growthMb(samples, process, WATCHED_FROM[process]);
    return growth === null ? [] : [{ process, limit, growth }];
  });
  const behind = DEAD.ofASettlement * DEAD.minutes * 60 * rate;
  return [
    rule("memory_trend", "no warm process grows beyond its bound", grown, ({ process, limit, growth }) =>
      growth <= limit ? [] : [`${process} grows by ${growth.toFixed(1)} MB an hour, and may by ${limit}`],
    ),
    rule(
      "dead_rows",
      "the dead rows of each table are bounded",
      samples.flatMap(({ minute, tables }) => tables.map((table) => ({ minute, ...table }))),
      ({ minute, name, live, dead }) =>
        dead <= DEAD.share * live + behind ? [] : [`${name} has ${dead} dead rows and ${live} live ones after ${minute} minutes`],
    ),
    rule("payments_in_time", `no payment waits longer than ${OLDEST_SECONDS} s`, samples, ({ minute, oldestUnpaidSeconds }) =>
      oldestUnpaidSeconds <= OLDEST_SECONDS ? [] : [`one waited for ${oldestUnpaidSeconds} s after ${minute} minutes`],
    ),
  ];
}
