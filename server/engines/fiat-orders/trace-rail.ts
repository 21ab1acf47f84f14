import type { Tracer } from "#domain/tracer.ts";
import type { FiatOrder, FiatRail } from "#server/ports.ts";

/** The same provider, whose every call is a trace of its own that names the order: an order's own place in a trace is not kept. */
export function traceRail(rail: FiatRail, tracer: Tracer): FiatRail {
  const asked = <Answer>(name: string, orderId: string, call: () => Promise<Answer>) =>
    tracer.span(name, { within: "begins", kind: "client", attributes: { "settlement.order_id": orderId } }, call);
  return {
    name: rail.name,
    collect: (order: FiatOrder) => asked("provider.collect", order.id, () => rail.collect(order)),
    payOut: (order: FiatOrder) => asked("provider.pay_out", order.id, () => rail.payOut(order)),
    lookUp: (orderId: string) => asked("provider.look_up", orderId, () => rail.lookUp(orderId)),
  };
}
