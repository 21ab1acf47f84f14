import type { ClaimedCallback, ClaimRoom } from "#db/queries/callbacks/due-callbacks.ts";

export type RoomLimits = {
  /** Attempts in flight in this process. */
  slots: number;
  /** How wide a queue begins, and how wide one becomes whose answers come well within a second. */
  perQueue: number;
  widest: number;
  perPartner: number;
  /** The most callbacks in one claim. */
  batch: number;
};

export const ROOM_LIMITS: RoomLimits = { slots: 2_000, perQueue: 4, widest: 32, perPartner: 250, batch: 200 };

/** A queue whose attempts end within this time is prompt. A slower one occupies slots that others need. */
const PROMPT_WITHIN_MS = 1_000;
/** An answer within this time widens its queue by one. */
const BRISK_WITHIN_MS = 250;
/** A new queue's limit in flight. Its first outcome shows more. */
const UNKNOWN_QUEUE_ROOM = 2;
/** How many queues are remembered as prompt or slow. A forgotten one shows itself again with its next attempt. */
const REMEMBERED_LANES = 1_000;

type Latency = "prompt" | "slow" | "unknown";
type Known = { timings: "prompt" | "slow"; width: number };
/** An attempt's outcome: `wellAnswered` means delivered. */
export type AttemptEnd = { durationMs: number; wellAnswered: boolean };
type Queue = {
  inFlight: number;
  /** When it last ended an attempt, or began the first of those in flight. */
  movedAt: number;
};
type Shares = { slow: number; unknown: number };
type Place = Pick<ClaimedCallback, "queue" | "partnerId">;

/**
 * Divides this process's slots, so that no receiver, nor a partner with a thousand of them, delays another partner. Each queue has a few
 * slots, and more if it is fast; each partner has a share; slow queues have at most half of all slots together; and a quarter is reserved
 * for queues known to be prompt. It only delays starts; no attempt is skipped.
 */
export class DeliveryRoom {
  readonly #limits: RoomLimits;
  readonly #queues = new Map<string, Queue>();
  readonly #partners = new Map<string, number>();
  readonly #memory = new Map<string, Known>();
  /** The present round: what each queue may claim, and did. */
  readonly #granted = new Map<string, number>();
  readonly #claimed = new Map<string, number>();
  #closed: readonly string[] = [];
  /** What the last round left behind for lack of capacity, possibly with more due. */
  #held: { queues: ReadonlySet<string>; partners: ReadonlySet<string> } = { queues: new Set(), partners: new Set() };
  #total = 0;
  #pressed = false;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  get inFlight(): number {
    return this.#total;
  }

  /** What may be claimed now; null when every slot is taken. Instants are those of `performance.now()`. */
  claimRoom(now: number): ClaimRoom | null {
    const { slots, perPartner, batch } = this.#limits;
    const free = slots - this.#total;
    // Until the round is over it is unknown what it will leave behind: every end meanwhile triggers another.
    this.#pressed = true;
    if (free <= 0) return null;
    const shares = this.#shares(now);
    const known = new Set([...this.#queues.keys(), ...this.#memory.keys()]);
    const rooms = Object.fromEntries([...known].map((name) => [name, this.#roomOf(name, now, shares)]));
    for (const [name, room] of Object.entries(rooms)) if (!this.#granted.has(name)) this.#granted.set(name, room);
    this.#closed = [...this.#partners].filter(([, count]) => count >= perPartner).map(([partnerId]) => partnerId);
    return {
      // Every claimed callback may turn out slow: while slow and unknown queues have capacity, a round claims no more than that.
      limit: Math.floor(Math.min(batch, free, this.#slowRoom(shares) || free, this.#unknownRoom(shares) || free)),
      rooms,
      otherwise: this.#capOf("unknown", shares),
      closedPartners: this.#closed,
    };
  }

  /** Whether the callback's own queue or partner may have delayed it until now: then its lateness says nothing about this service. */
  begin(callback: Place, now: number): boolean {
    const queue = this.#queues.get(callback.queue);
    if (queue) queue.inFlight += 1;
    else this.#queues.set(callback.queue, { inFlight: 1, movedAt: now });
    this.#partners.set(callback.partnerId, (this.#partners.get(callback.partnerId) ?? 0) + 1);
    this.#claimed.set(callback.queue, (this.#claimed.get(callback.queue) ?? 0) + 1);
    this.#total += 1;
    return this.#held.queues.has(callback.queue) || this.#held.partners.has(callback.partnerId);
  }

  /**
   * Called when a round has begun everything that it claimed: whether it left a queue, a partner or the slots without capacity. Less than a
   * quarter of a queue counts as none: ends meanwhile have triggered nothing (see {@link end}).
   */
  roundEnds(now: number): void {
    const { slots, perPartner } = this.#limits;
    const shares = this.#shares(now);
    const full = [...new Set([...this.#granted.keys(), ...this.#claimed.keys()])].filter(
      (name) => (this.#claimed.get(name) ?? 0) >= (this.#granted.get(name) ?? UNKNOWN_QUEUE_ROOM),
    );
    this.#held = { queues: new Set(full), partners: new Set(this.#closed) };
    this.#granted.clear();
    this.#claimed.clear();
    this.#pressed =
      this.#total >= slots / 2 ||
      [...this.#queues.keys()].some((name) => this.#roomOf(name, now, shares) < this.#widthOf(name) / 4) ||
      [...this.#partners.values()].some((count) => count >= perPartner);
  }

  /**
   * Whether the last round may have left something behind for which this end makes space. A wide queue waits until a quarter of it is free:
   * larger claims cost less.
   */
  end(callback: Place, { durationMs, wellAnswered }: AttemptEnd, now: number): boolean {
    const queue = this.#queues.get(callback.queue);
    if (queue && queue.inFlight > 1) {
      queue.inFlight -= 1;
      queue.movedAt = now;
    } else this.#queues.delete(callback.queue);
    const ofPartner = this.#partners.get(callback.partnerId) ?? 0;
    if (ofPartner > 1) this.#partners.set(callback.partnerId, ofPartner - 1);
    else this.#partners.delete(callback.partnerId);
    this.#total -= 1;
    const width = this.#widthAfter(callback.queue, { durationMs, wellAnswered });
    this.#remember(callback.queue, { timings: durationMs <= PROMPT_WITHIN_MS ? "prompt" : "slow", width });
    return this.#pressed && width - (this.#queues.get(callback.queue)?.inFlight ?? 0) >= width / 4;
  }

  /** Wider with each brisk answer, half as wide with each that is slow or none; never narrower than at the beginning. */
  #widthAfter(queue: string, { durationMs, wellAnswered }: AttemptEnd): number {
    const { perQueue, widest } = this.#limits;
    const width = this.#memory.get(queue)?.width ?? perQueue;
    if (!wellAnswered || durationMs > PROMPT_WITHIN_MS) return Math.max(perQueue, Math.floor(width / 2));
    return durationMs <= BRISK_WITHIN_MS ? Math.min(widest, width + 1) : width;
  }

  #shares(now: number): Shares {
    const shares = { prompt: 0, slow: 0, unknown: 0 };
    for (const [name, queue] of this.#queues) shares[this.#latencyOf(name, now)] += queue.inFlight;
    return shares;
  }

  #roomOf(name: string, now: number, shares: Shares): number {
    const inFlight = this.#queues.get(name)?.inFlight ?? 0;
    const timings = this.#latencyOf(name, now);
    return Math.max(0, (timings === "prompt" ? this.#widthOf(name) : this.#capOf(timings, shares)) - inFlight);
  }

  #widthOf(name: string): number {
    return this.#memory.get(name)?.width ?? this.#limits.perQueue;
  }

  #capOf(latency: Exclude<Latency, "prompt">, shares: Shares): number {
    const { slots, perQueue } = this.#limits;
    switch (latency) {
      case "unknown":
        return this.#unknownRoom(shares) > 0 ? Math.min(UNKNOWN_QUEUE_ROOM, perQueue) : 0;
      case "slow":
        if (this.#slowRoom(shares) === 0) return 0;
        // The more slow queues, the smaller the share of each, so that they do not starve one another.
        return shares.slow < slots / 4 ? perQueue : 1;
    }
  }

  /** Slow queues have at most half of the slots; a remainder too small for a separate round counts as none. */
  #slowRoom({ slow }: Shares): number {
    const room = this.#limits.slots / 2 - slow;
    return room < this.#limits.perQueue ? 0 : room;
  }

  /** Slow and unknown queues together have three quarters of the slots at most. */
  #unknownRoom({ slow, unknown }: Shares): number {
    const room = (this.#limits.slots * 3) / 4 - slow - unknown;
    return room < UNKNOWN_QUEUE_ROOM ? 0 : room;
  }

  /** A queue without an outcome for a while is slow, whatever it was before. */
  #latencyOf(name: string, now: number): Latency {
    const queue = this.#queues.get(name);
    if (queue && now - queue.movedAt > PROMPT_WITHIN_MS) return "slow";
    return this.#memory.get(name)?.timings ?? "unknown";
  }

  #remember(queue: string, known: Known): void {
    this.#memory.delete(queue);
    this.#memory.set(queue, known);
    for (const oldest of this.#memory.keys()) {
      if (this.#memory.size <= REMEMBERED_LANES) break;
      this.#memory.delete(oldest);
    }
  }
}
