import type { ClaimedCallback, ClaimRoom } from "#db/queries/due-callbacks.ts";

export type RoomLimits = {
  /** Attempts in flight in this process. */
  slots: number;
  perLane: number;
  perPartner: number;
  /** At most so many callbacks in one claim. */
  batch: number;
};

export const ROOM_LIMITS: RoomLimits = { slots: 2_000, perLane: 8, perPartner: 250, batch: 200 };

/** A lane that ends its attempts within this time is prompt; one whose attempts last longer holds slots that others need. */
const PROMPT_WITHIN_MS = 3_000;
/** How many lanes are remembered as prompt. A forgotten one proves itself again with its next attempt. */
const REMEMBERED_LANES = 5_000;

type Lane = {
  inFlight: number;
  /** When it last ended an attempt, or began the first of those in flight. */
  movedAt: number;
};

/**
 * Who may have how many of this process's slots, so that no receiver, nor one partner with a thousand of them, delays another
 * partner: a few for each lane, a share for each partner, and half of all for lanes that are known to be prompt. It only ever
 * holds back starts; no attempt is skipped.
 */
export class DeliveryRoom {
  readonly #limits: RoomLimits;
  readonly #lanes = new Map<string, Lane>();
  readonly #partners = new Map<string, number>();
  readonly #prompt = new Set<string>();
  #total = 0;
  #pressed = false;

  constructor(limits: RoomLimits) {
    this.#limits = limits;
  }

  get inFlight(): number {
    return this.#total;
  }

  /** What may be claimed now; null when every slot is taken. */
  claimRoom(now: number): ClaimRoom | null {
    const { slots, perLane, perPartner, batch } = this.#limits;
    const free = slots - this.#total;
    // Until the round is over nobody knows what it will hold back: every end meanwhile calls for another.
    this.#pressed = true;
    if (free <= 0) return null;
    const slowRoom = Math.floor(slots / 2) - this.#slowInFlight(now);
    return {
      limit: slowRoom > 0 ? Math.min(batch, free, slowRoom) : Math.min(batch, free),
      perLane,
      inFlight: Object.fromEntries([...this.#lanes].map(([name, lane]) => [name, lane.inFlight])),
      closedPartners: [...this.#partners].filter(([, count]) => count >= perPartner).map(([partnerId]) => partnerId),
      onlyLanes: slowRoom > 0 ? null : [...this.#prompt].filter((lane) => this.#isPrompt(lane, now)),
    };
  }

  begin(callback: Pick<ClaimedCallback, "lane" | "partnerId">, now: number): void {
    const lane = this.#lanes.get(callback.lane);
    if (lane) lane.inFlight += 1;
    else this.#lanes.set(callback.lane, { inFlight: 1, movedAt: now });
    this.#partners.set(callback.partnerId, (this.#partners.get(callback.partnerId) ?? 0) + 1);
    this.#total += 1;
  }

  /** Called when a round has begun all that it claimed: were there lanes, partners or slots without room left? */
  roundEnds(): void {
    const { slots, perLane, perPartner } = this.#limits;
    const full = this.#total >= slots / 2 || [...this.#lanes.values()].some((lane) => lane.inFlight >= perLane);
    this.#pressed = full || [...this.#partners.values()].some((count) => count >= perPartner);
  }

  /** Answers whether the last round may have held something back that this end makes room for. */
  end(callback: Pick<ClaimedCallback, "lane" | "partnerId">, durationMs: number, now: number): boolean {
    const lane = this.#lanes.get(callback.lane);
    if (lane && lane.inFlight > 1) {
      lane.inFlight -= 1;
      lane.movedAt = now;
    } else this.#lanes.delete(callback.lane);
    const ofPartner = this.#partners.get(callback.partnerId) ?? 0;
    if (ofPartner > 1) this.#partners.set(callback.partnerId, ofPartner - 1);
    else this.#partners.delete(callback.partnerId);
    this.#total -= 1;
    this.#remember(callback.lane, durationMs <= PROMPT_WITHIN_MS);
    return this.#pressed;
  }

  #slowInFlight(now: number): number {
    let count = 0;
    for (const [name, lane] of this.#lanes) if (!this.#isPrompt(name, now)) count += lane.inFlight;
    return count;
  }

  #isPrompt(name: string, now: number): boolean {
    const lane = this.#lanes.get(name);
    return this.#prompt.has(name) && (lane === undefined || now - lane.movedAt <= PROMPT_WITHIN_MS);
  }

  #remember(lane: string, prompt: boolean): void {
    this.#prompt.delete(lane);
    if (!prompt) return;
    this.#prompt.add(lane);
    for (const oldest of this.#prompt) {
      if (this.#prompt.size <= REMEMBERED_LANES) break;
      this.#prompt.delete(oldest);
    }
  }
}
