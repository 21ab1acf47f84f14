import { renderCallbackDetail } from "#contract/console/callback.ts";
import { instant } from "#contract/primitives.ts";
import { availableMinor, type FiatPool, type WordEffect, type WordSource } from "#domain/fiat.ts";
import { fiatAmount } from "#domain/money.ts";
import { renderHistory } from "./settlement-rows.ts";

/** What was said and done about one order, and the pools that orders are paid out of. */

type ProviderEvent = {
  id: string;
  source: WordSource;
  status: "succeeded" | "failed";
  reference: string | null;
  reason: string | null;
  effect: WordEffect | "unknown_order";
  body: string | null;
  receivedAt: Date;
};

export function renderProviderEvent(event: ProviderEvent) {
  return {
    id: event.id,
    at: instant(event.receivedAt),
    source: event.source,
    status: event.status,
    reference: event.reference,
    reason: event.reason,
    effect: event.effect,
    body: event.body,
  };
}

type Story = {
  history: readonly Parameters<typeof renderHistory>[0][];
  events: readonly ProviderEvent[];
  callbackList: readonly Parameters<typeof renderCallbackDetail>[0][];
};

/** What the provider said is for the operator: a partner sees what came of it. */
export function renderOrderStory({ history, events, callbackList }: Story, inside: boolean) {
  return {
    history: history.map((entry) => renderHistory(entry, inside)),
    provider_events: inside ? events.map(renderProviderEvent) : [],
    callback_list: callbackList.map((callback) => renderCallbackDetail(callback, inside)),
  };
}

type Figures = FiatPool & {
  lowWaterMinor: bigint;
  pendingInMinor: bigint;
  days: readonly { day: Date; inMinor: bigint; outMinor: bigint; totalMinor: bigint }[];
};

/** Marks and history are the operator's own. */
export function renderPoolFigures(pool: Figures, inside: boolean) {
  const amount = (minor: bigint) => fiatAmount(minor, pool.currency);
  const available = availableMinor(pool);
  return {
    currency: pool.currency,
    total: amount(pool.totalMinor),
    reserved: amount(pool.reservedMinor),
    available: amount(available),
    pending_in: amount(pool.pendingInMinor),
    minimum: amount(pool.minimumMinor),
    maximum: amount(pool.maximumMinor),
    low_water: inside ? amount(pool.lowWaterMinor) : null,
    is_low: inside && available < pool.lowWaterMinor,
    /** Parts per thousand of what is there or to come, for a gauge; they add up to at most a thousand. */
    shares: sharesOf([available, pool.reservedMinor, pool.pendingInMinor]),
    days: inside
      ? pool.days.map(({ day, inMinor, outMinor, totalMinor }) => {
          return { day: instant(day), in: amount(inMinor), out: amount(outMinor), total: amount(totalMinor) };
        })
      : [],
  };
}

function sharesOf([available, reserved, pendingIn]: readonly [bigint, bigint, bigint]) {
  const whole = available + reserved + pendingIn;
  const share = (part: bigint) => (whole === 0n ? 0 : Number((part * 1_000n) / whole));
  return { available: share(available), reserved: share(reserved), pending_in: share(pendingIn) };
}
