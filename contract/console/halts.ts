import { z } from "zod";
import { instant, instantOrNull, plainText } from "#contract/primitives.ts";
import { haltReason, LANE_KINDS, type LaneHalt } from "#domain/lane.ts";
import { WALLET_STATES } from "#domain/wallet.ts";

/** What stands, and the orders about it, in wire names. */

const reason = plainText(8, 1_000);
export const haltOrder = z.strictObject({ lane_kind: z.enum(LANE_KINDS), lane_key: plainText(1, 64), reason });
export const liftOrder = z.strictObject({ halt_id: z.string().max(64), reason });
export const walletStateOrder = z.strictObject({ wallet_id: z.string().max(64), state: z.enum(WALLET_STATES), reason });

type Shown = LaneHalt & { name: string; proposal: { id: string; by: string; reason: string | null } | null };

export function renderHalt(halt: Shown) {
  const { id, lane, name, cause, detail, since, lift, proposal } = halt;
  return {
    ...{ id, name, cause, detail, proposal },
    lane_kind: lane.kind,
    lane_key: lane.key,
    words: haltReason(halt),
    since: instant(since),
    lifted_at: instantOrNull(lift?.at ?? null),
    lift_reason: lift?.reason ?? null,
    by_two: lift !== null && lift.confirmedBy !== null,
  };
}
export type HaltWire = ReturnType<typeof renderHalt>;
