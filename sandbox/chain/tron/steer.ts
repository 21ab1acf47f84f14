import { z } from "zod";
import { hexOfTron } from "#domain/tron-address.ts";
import type { DoubleChain } from "./double-chain.ts";
import type { Knobs } from "./knobs.ts";
import { RULES } from "./protocol.ts";

const whole = z.int().min(0);
const Order = z.strictObject({
  /** Of this node. Ids in `hides` and `forgetsIds` replace the earlier ones. */
  knobs: z
    .strictObject({
      lag: whole.optional(),
      forgetBelow: whole.optional(),
      hides: z.array(z.string()).optional(),
      forgetsIds: z.array(z.string()).optional(),
      isSilent: z.boolean().optional(),
      losesAnswers: z.boolean().optional(),
      isBusy: z.boolean().optional(),
    })
    .optional(),
  /** Of the network. */
  energyFeeSun: whole.optional(),
  fund: z.strictObject({ address: z.string(), sun: whole.default(0), energy: whole.default(0) }).optional(),
  mine: z.int().min(1).max(RULES.recentBlocks).optional(),
  forgetPending: z.literal(true).optional(),
  /** Whether blocks leave out everything that waits. */
  holds: z.boolean().optional(),
});

/** Carries out what `POST /double` asks for: how this node misbehaves, and what becomes of the network. */
export async function steer(chain: DoubleChain, knobs: Knobs, order: unknown): Promise<{ height: number; solid: number }> {
  const { knobs: wanted = {}, energyFeeSun, fund, mine, forgetPending, holds } = Order.parse(order);
  const { hides, forgetsIds, isBusy, ...plain } = wanted;
  Object.assign(knobs, plain);
  if (hides) knobs.hides = new Set(hides);
  if (forgetsIds) knobs.forgetsIds = new Set(forgetsIds);
  if (isBusy !== undefined) knobs.refusesWith = isBusy ? { code: "SERVER_BUSY", message: "" } : null;
  if (energyFeeSun !== undefined) chain.energyFeeSun = BigInt(energyFeeSun);
  if (fund) chain.fund(hexOfTron(fund.address), { balanceSun: BigInt(fund.sun), energy: BigInt(fund.energy) });
  if (holds !== undefined) chain.isHeld = holds;
  if (forgetPending) chain.forgetPending();
  if (mine) await chain.mine(mine);
  return { height: chain.head.height, solid: chain.solidHeight };
}
