import { setTimeout as sleep } from "node:timers/promises";
import type { StatusReport } from "#contract/service-status.ts";
import { type Disruption, disruptionKey, findDisruptions, lasting, type StatusHistory, type StatusSpan } from "#domain/service-status.ts";
import { WATCH_PATIENCE } from "#domain/vitals.ts";
import type { Uses } from "#server/context.ts";
import { readStatus, recordStatus } from "#server/services/maintenance/service-status.ts";
import { inTime, readChecks } from "./checks.ts";

type Needs = Uses<"db" | "chains" | "clock" | "screener" | "log">;

/** How often a process looks, how often it writes what it has seen, and how old the past may be that it shows. */
const LOOK_EVERY_MS = 5_000;
const WRITE_EVERY_MS = 15_000;
const PAST_MAY_BE_MS = 15_000;
/** Two looks with more time between them say nothing of that time: the process was frozen, or the machine. */
const LONGEST_GAP_MS = 3 * LOOK_EVERY_MS;
/** A look that is older says nothing of now. */
const CURRENT_FOR_MS = 30_000;
/** As in the console's line: a healthy database answers in a tenth of that. */
const SLOW_MS = 1_000;
/** What waits for the database. A process that runs out of room forgets the oldest: that time is unknown. */
const MOST_SPANS = 500;

type Seen = { at: Date; disruptions: readonly Disruption[] };

/**
 * Watches the service for the public status page, from a web process: a worker that is frozen cannot say so. While the database is away it
 * keeps what it sees, writes it afterwards, and shows the past that it read last. No request makes it look.
 */
export class StatusWatch {
  readonly #ctx: Needs;
  readonly #chains: StatusReport["chains"];
  #seen: Seen | null = null;
  #confirmed: Seen | null = null;
  #spans: readonly StatusSpan[] = [];
  #past: { at: Date; history: StatusHistory } | null = null;
  #writing: Promise<void> | null = null;
  #reading: Promise<void> | null = null;

  constructor(ctx: Needs) {
    this.#ctx = ctx;
    this.#chains = ctx.chains.list().map(({ chain, name }) => ({ chain, name }));
  }

  /** Looks until the returned function is called, which writes the rest. */
  start(): () => Promise<void> {
    const stop = new AbortController();
    void this.#watch(stop.signal);
    return async () => {
      stop.abort();
      await inTime(this.write());
    };
  }

  /** Looks once. Two looks in a row make a span. */
  async look(): Promise<void> {
    const { clock, screener } = this.#ctx;
    const { checks, tookMs, vitals } = await readChecks(this.#ctx, WATCH_PATIENCE);
    const isScreeningSilent = screener.state().troubles.length > 0;
    const found = { checks, vitals, isSlow: tookMs > SLOW_MS, isScreeningSilent };
    const disruptions = findDisruptions(
      found,
      this.#chains.map(({ chain }) => chain),
    );
    const [before, now] = [this.#seen, { at: clock.now(), disruptions }];
    this.#seen = now;
    const lasted = before === null ? -1 : now.at.getTime() - before.at.getTime();
    if (before === null || lasted <= 0 || lasted > LONGEST_GAP_MS) return;
    this.#confirmed = { at: now.at, disruptions: lasting(before.disruptions, disruptions) };
    this.#spans = added(this.#spans, { from: before.at, until: now.at, disruptions: this.#confirmed.disruptions });
  }

  /** Writes what was seen, once the database answers. */
  write(): Promise<void> {
    this.#writing ??= this.#writeSpans().finally(() => {
      this.#writing = null;
    });
    return this.#writing;
  }

  /** What the page shows: what was seen last, and the past, which is read again if it is old. */
  async report(): Promise<StatusReport> {
    await this.#readPast();
    const now = this.#ctx.clock.now();
    const confirmed = this.#confirmed;
    const isCurrent = confirmed !== null && now.getTime() - confirmed.at.getTime() <= CURRENT_FOR_MS;
    return {
      now,
      lookedAt: confirmed?.at ?? null,
      disruptions: isCurrent ? confirmed.disruptions : null,
      history: this.#past?.history ?? { days: [], incidents: [] },
      historyAt: this.#past?.at ?? null,
      chains: this.#chains,
    };
  }

  async #watch(stop: AbortSignal): Promise<void> {
    let writtenAt = performance.now();
    while (!stop.aborted) {
      await this.look().catch((err: unknown) => this.#ctx.log.warn({ err }, "the look for the status page failed"));
      if (performance.now() - writtenAt >= WRITE_EVERY_MS) {
        writtenAt = performance.now();
        // Not awaited: the looks go on while the database does not answer.
        void this.write();
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal: stop, ref: false }).catch(() => {});
    }
  }

  async #writeSpans(): Promise<void> {
    const taken = this.#spans;
    if (taken.length === 0 || !isAnswering(this.#seen)) return;
    this.#spans = [];
    try {
      await recordStatus(this.#ctx, taken);
    } catch (err) {
      this.#spans = [...taken, ...this.#spans].slice(-MOST_SPANS);
      this.#ctx.log.warn({ err }, "the status history was not written, and is written again");
    }
  }

  async #readPast(): Promise<void> {
    const { clock, log } = this.#ctx;
    const isOld = this.#past === null || clock.now().getTime() - this.#past.at.getTime() > PAST_MAY_BE_MS;
    if (!isOld || !isAnswering(this.#seen)) return;
    this.#reading ??= readStatus(this.#ctx)
      .then((history) => {
        this.#past = { at: clock.now(), history };
      })
      .catch((err: unknown) => log.warn({ err }, "the status history was not read"))
      .finally(() => {
        this.#reading = null;
      });
    await inTime(this.#reading);
  }
}

/** Whether the database answered the last look. */
function isAnswering(seen: Seen | null): boolean {
  return seen !== null && !seen.disruptions.some(({ cause }) => cause === "unavailable");
}

/** With another span at the end: one that goes on with the same disruptions makes the last one longer. */
function added(spans: readonly StatusSpan[], span: StatusSpan): StatusSpan[] {
  const last = spans.at(-1);
  const keys = (disruptions: readonly Disruption[]) =>
    disruptions.map((each) => `${disruptionKey(each)} ${JSON.stringify(each.impairs)}`).join();
  const goesOn = last !== undefined && last.until.getTime() === span.from.getTime() && keys(last.disruptions) === keys(span.disruptions);
  if (goesOn) return [...spans.slice(0, -1), { ...span, from: last.from }];
  return [...spans, span].slice(-MOST_SPANS);
}
