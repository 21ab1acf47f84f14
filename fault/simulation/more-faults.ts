import { GWEI } from "./chain.ts";
import type { PaymentWorld } from "./payments-world.ts";

/** Faults that are drawn apart from the others, so that no other draw changes with them. */

/** One node refuses by mistake, twice at most: three times at different heads would be believed. Drawn apart, so that no other draw changes. */
export function planRefusals(world: PaymentWorld, faultsMs: number): void {
  const { history, scheduler, net } = world;
  const random = history.random.fork("refusal lies");
  if (!random.chance(0.3)) return;
  const liar = random.pick(net.moods);
  history.faults.add("refusal lies");
  scheduler.after(random.below(faultsMs), () => {
    if (!world.isCalm) liar.refusals = random.chance(0.5) ? 1 : 2;
  });
}

/** The packing contract pays nobody for a while. */
export function planReverts({ history, scheduler, net }: PaymentWorld, faultsMs: number): void {
  const random = history.random.fork("packs revert");
  if (!net.isPacking || !random.chance(0.15)) return;
  history.faults.add("packs revert");
  scheduler.after(random.below(faultsMs), () => {
    net.chain.packsRevert = true;
    scheduler.after(2_000, () => {
      net.chain.packsRevert = false;
    });
  });
}

/** The disk of the signing journal takes nothing for a while, or only a part. Drawn apart, as the ones below. */
export function planFullDisk(world: PaymentWorld, faultsMs: number): void {
  const { history, scheduler, journal } = world;
  const random = history.random.fork("full disk");
  if (!random.chance(0.1)) return;
  history.faults.add("disk full");
  scheduler.after(random.below(faultsMs), () => {
    journal.fullUntil = scheduler.now + random.below(1_500);
  });
}

/** Fees rise until what waits was bumped; once that is final, a deep fork lets any of the attempts be mined. */
export function planSibling(world: PaymentWorld): void {
  const { history, scheduler, net } = world;
  const random = history.random.fork("sibling");
  if (!random.chance(0.03) || world.fiat !== null || history.faults.has("reverts") || history.faults.has("revert forgotten")) return;
  history.faults.add("fees rise").add("deep fork");
  net.chain.baseFee = 40n * GWEI;
  scheduler.after(4_500, () => {
    net.chain.baseFee = 10n * GWEI;
  });
  const forksAt = 7_000 + random.below(3_000);
  world.forkingUntil = scheduler.now + forksAt;
  scheduler.after(forksAt, () => {
    net.chain.fork(scheduler.now, { depth: net.confirmations + 10, kept: 1, isDeep: true });
  });
}
