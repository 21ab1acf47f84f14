import type { ProviderWord } from "#domain/fiat.ts";
import type { Random } from "#fault/random.ts";
import { type FiatAnswer, type FiatOrder, type FiatRail, Rejected, Unreachable } from "#server/ports.ts";
import type { Gate } from "./gate.ts";
import type { Network } from "./nodes.ts";

/** An order as the provider has it. `knownFrom`: before that its own question page does not show it. */
export type ProviderOrder = { id: string; kind: "collection" | "payout"; word: ProviderWord; knownFrom: number; isSettled: boolean };

const SETTLES_WITHIN_MS = 3_000;
/** A new order is shown so late, now and then: a worker has tried again by then. */
const SHOWN_AFTER_MS = 6_000;

/**
 * The fiat provider. It takes an order once, by its id: the same again is refused, or answered as before. It may refuse an order that it never
 * had, settle one either way, and show a new one late. `onSettled`: it calls back until somebody takes the call.
 */
export class SimulatedProvider {
  readonly orders = new Map<string, ProviderOrder>();
  /** Orders that it takes at no time. */
  readonly refusing = new Set<string>();
  /** In some histories the answer to the first try of an order is lost, however calm all else is. */
  readonly #isFlaky: boolean;
  readonly #tried = new Set<string>();
  readonly #net: Network;
  readonly #random: Random;
  readonly #onTaken: (order: ProviderOrder) => void;
  readonly #onSettled: (order: ProviderOrder) => void;

  constructor(net: Network, random: Random, on: { taken: (order: ProviderOrder) => void; settled: (order: ProviderOrder) => void }) {
    this.#net = net;
    this.#random = random;
    this.#isFlaky = random.chance(0.4);
    this.#onTaken = on.taken;
    this.#onSettled = on.settled;
  }

  /** After a while the provider shows every order. */
  showAll(): void {
    for (const order of this.orders.values()) order.knownFrom = 0;
  }

  /** As one process reaches it. */
  railFor(gate: Gate): FiatRail {
    return {
      collect: (order) => this.#call(gate, "collect", () => this.#take("collection", order)),
      payOut: (order) => this.#call(gate, "pay out", () => this.#take("payout", order)),
      lookUp: (id) => this.#call(gate, "look up", () => this.#show(id)),
    };
  }

  #take(kind: ProviderOrder["kind"], { id }: FiatOrder): FiatAnswer {
    this.#tried.add(id);
    const known = this.orders.get(id);
    if (known !== undefined && this.#random.chance(0.5)) throw new Rejected("it has this order already");
    if (known !== undefined) return answerOf(known);
    if (this.refusing.has(id)) throw new Rejected("it takes no such order");
    const { scheduler } = this.#net;
    const word = this.#random.chance(0.3)
      ? ({ status: "failed", reference: `P-${id}`, reason: "no" } as const)
      : ({ status: "succeeded", reference: `P-${id}`, reason: null } as const);
    const knownFrom = scheduler.now + (this.#random.chance(0.3) ? this.#random.below(SHOWN_AFTER_MS) : 0);
    const order: ProviderOrder = { id, kind, word, knownFrom, isSettled: false };
    this.orders.set(id, order);
    this.#onTaken(order);
    scheduler.after(50 + this.#random.below(SETTLES_WITHIN_MS), () => {
      order.isSettled = true;
      this.#onSettled(order);
    });
    return answerOf(order);
  }

  #show(id: string): FiatAnswer | null {
    const order = this.orders.get(id);
    return order === undefined || this.#net.scheduler.now < order.knownFrom ? null : answerOf(order);
  }

  async #call<Answer>(gate: Gate, name: string, effect: () => Answer): Promise<Answer> {
    const step = gate.step(`provider ${name}`);
    if (step !== undefined) await step;
    const { broken, scheduler, note } = this.#net;
    const lost = (when: string) => {
      note?.(`${gate.who.name} provider ${name}: no answer (${when})`);
      return new Unreachable("the provider does not answer");
    };
    if (this.#random.chance(broken.before)) {
      await scheduler.sleep(5 + this.#random.below(40));
      throw lost("before");
    }
    const tried = this.#tried.size;
    const answer = effect();
    const isFirst = this.#tried.size > tried;
    if (this.#random.chance(broken.after) || (isFirst && this.#isFlaky && this.#random.chance(0.5))) {
      await scheduler.sleep(10 + this.#random.below(500));
      throw lost("after");
    }
    if (this.#random.chance(broken.late)) await scheduler.sleep(1 + this.#random.below(200));
    if (!gate.who.alive) return await new Promise<never>(() => {});
    return answer;
  }
}

function answerOf({ word, isSettled, id }: ProviderOrder): FiatAnswer {
  return isSettled ? { ...word, instructions: null } : { status: "pending", reference: `P-${id}`, instructions: null };
}
