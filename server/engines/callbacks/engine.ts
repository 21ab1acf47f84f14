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
  /** Replaces `Service` in the header names of the request signature. */
  brand: string;
  signPublicly: CallbackKeys["sign"];
  room: DeliveryRoom;
  receivers: ReceiverHealth;
  /** Every lease of this process, from the claim until its outcome is stored. */
  heldLeases: HeldLeases;
  settling: SettleQueue;
  running: Set<Promise<unknown>>;
  callOff: AbortController;
  onAttempt: DeliveryOptions["onAttempt"];
  step: Observe<DeliveryStep>;
  /** Called when an attempt's end frees capacity for due callbacks that were left behind. */
  wake: () => void;
};

type AttemptNote = { outcome: string; latenessSeconds: number; wasHeldBack: boolean; seconds: number };

export type DeliveryOptions = {
  brand: string;
  /** Signs with a private key for public verification; omitted: there is none. */
  signPublicly?: CallbackKeys["sign"];
  limits?: RoomLimits;
  /** Called for every attempt's end, for the metrics. Lateness is business time between due and begun; `wasHeldBack`: by its own queue. */
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
