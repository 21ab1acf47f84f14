import type { Lease } from "#db/lease.ts";
import type { ClaimedCallback } from "#db/queries/callbacks/due-callbacks.ts";
import type { CallbackKeys } from "#domain/callback-key.ts";
import type { Uses } from "#server/context.ts";
import type { Observe } from "#server/engines/duty.ts";
import { HeldLeases } from "#server/engines/held-leases.ts";
import { DeliveryRoom, ROOM_LIMITS, type RoomLimits } from "./delivery-room.ts";
import { ReceiverHealth } from "./receiver-health.ts";
import { SettleQueue } from "./settle-queue.ts";

/** The steps of an attempt. Between any two of them the process may die. */
export const DELIVERY_STEPS = ["claimed", "answered", "written"] as const;
export type DeliveryStep = (typeof DELIVERY_STEPS)[number];

export type DeliveryPowers = Uses<"db" | "clock" | "vault" | "callbacks" | "log" | "tracer">;

/** What one worker process needs to deliver callbacks, and what it has in flight. Everything that matters is in the database. */
export type CallbackEngine = {
  ctx: DeliveryPowers;
  /** What stands for `Service` in the mirrored scheme's header names. */
  brand: string;
  signPublicly: CallbackKeys["sign"];
  room: DeliveryRoom;
  receivers: ReceiverHealth;
  /** Every lease this process holds, from the claim until its end is written. */
  heldLeases: HeldLeases;
  settling: SettleQueue;
  running: Set<Promise<unknown>>;
  callOff: AbortController;
  onAttempt: DeliveryOptions["onAttempt"];
  step: Observe<DeliveryStep>;
  /** Called when an attempt's end makes room for due work that was held back. */
  wake: () => void;
};

type AttemptNote = { outcome: string; latenessSeconds: number; wasHeldBack: boolean; seconds: number };

export type DeliveryOptions = {
  brand: string;
  /** Signs for anyone who has a partner's public key alone; left out: nobody is signed for so. */
  signPublicly?: CallbackKeys["sign"];
  limits?: RoomLimits;
  /** Told of every attempt that ended: for the metrics. Lateness is business time between due and begun; `wasHeldBack`: by its own queue. */
  onAttempt?: (attempt: AttemptNote) => void;
  observe?: Observe<DeliveryStep>;
};

/** Starts nothing yet: the worker begins a round when something may be due. */
export function createCallbackEngine(
  ctx: DeliveryPowers,
  { brand, signPublicly = null, limits = ROOM_LIMITS, onAttempt, observe }: DeliveryOptions,
): CallbackEngine {
  const heldLeases = new HeldLeases(ctx, "callbacks");
  const step: CallbackEngine["step"] = (name, id) => observe?.(name, id);
  const settling = new SettleQueue(ctx, (callback) => {
    heldLeases.forget([leaseOf(callback)]);
    step("written", callback.id);
  });
  const flight = { running: new Set<Promise<unknown>>(), callOff: new AbortController(), wake: () => {} };
  return {
    ctx,
    brand,
    signPublicly,
    room: new DeliveryRoom(limits),
    receivers: new ReceiverHealth(),
    heldLeases,
    settling,
    ...flight,
    onAttempt,
    step,
  };
}

export function leaseOf({ id, token, partnerId }: ClaimedCallback): Lease {
  return { id, token, partnerId };
}
