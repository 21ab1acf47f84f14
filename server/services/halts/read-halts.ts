import { listLiftedHalts } from "#db/queries/halts/lane-halts.ts";
import { findPartner } from "#db/queries/partners/partners.ts";
import { listOpenProposals } from "#db/queries/proposals/proposals.ts";
import { listWallets } from "#db/queries/transfers/wallets.ts";
import type { LaneHalt } from "#domain/lane.ts";
import type { Uses } from "#server/context.ts";
import { LANE_LIFT } from "./lift-halt.ts";
import { listOpenHalts } from "./list-open-halts.ts";

/** `name`: the lane's, as people know it. `proposal`: who has proposed that it goes on. */
export type ShownHalt = LaneHalt & { name: string; proposal: { id: string; by: string; reason: string | null } | null };

const LIFTED = 10;
const PROPOSALS = 100;

/** Every lane that stands, and those that were lifted last, for the console. */
export async function readHalts(ctx: Uses<"db">): Promise<{ open: ShownHalt[]; lifted: ShownHalt[] }> {
  const [open, lifted, wallets, proposals] = await Promise.all([
    listOpenHalts(ctx),
    listLiftedHalts(ctx.db, LIFTED),
    listWallets(ctx.db),
    listOpenProposals(ctx.db, PROPOSALS),
  ]);
  const nameOf = async ({ kind, key }: LaneHalt["lane"]): Promise<string> => {
    if (kind === "partner") return (await findPartner(ctx.db, key))?.name ?? key;
    const wallet = kind === "wallet" ? wallets.find(({ id }) => id === key) : undefined;
    return wallet ? `${wallet.address} on ${wallet.chain}` : key;
  };
  const show = async (halt: LaneHalt): Promise<ShownHalt> => {
    const asked = proposals.find(({ kind, subject }) => kind === LANE_LIFT.kind && subject === halt.id);
    const proposal = asked ? { id: asked.id, by: asked.proposer.name, reason: asked.reason } : null;
    return { ...halt, name: await nameOf(halt.lane), proposal };
  };
  return { open: await Promise.all(open.map(show)), lifted: await Promise.all(lifted.map(show)) };
}
