import { Refusal } from "#domain/refusal.ts";
import type { Uses } from "#server/context.ts";

/**
 * The first line of whatever only the sandbox may do. In live mode there is no such operation.
 *
 * @throws Refusal `route_not_found` in live mode, just like any path that does not exist.
 */
export function refuseInLiveMode(ctx: Uses<"mode">): void {
  if (ctx.mode !== "sandbox") throw new Refusal("route_not_found");
}
