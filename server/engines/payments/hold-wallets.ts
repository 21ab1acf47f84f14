import { listHaltsOfChain } from "#db/queries/halts/lane-halts.ts";
import { sumInFlight } from "#db/queries/transfers/in-flight.ts";
import { ensureWallet, leaseWallet } from "#db/queries/transfers/wallets.ts";
import { haltReason, type LaneHalt, stopsChain } from "#domain/lane.ts";
import { inParallel } from "#server/engines/duty.ts";
import { Rejected, type Signer, Unreachable } from "#server/ports.ts";
import { firstNonce, UNCERTAIN } from "./align-nonce.ts";
import type { HeldWallet, Round } from "./engine.ts";

/** The wallets this worker may sign for now, and why nothing is signed at all where the reason is ours and not another worker's. */
export type Holding = { wallets: HeldWallet[]; trouble: string | null };

/** Takes or renews the lease of every treasury wallet of the chain that no other worker holds. */
export async function holdWallets(round: Round): Promise<Holding> {
  const signers = round.engine.ctx.signers.of(round.chain.chain);
  const { ctx, memory } = round.engine;
  memory.inHand.delete(round.chain.chain);
  if (signers.length === 0) return { wallets: [], trouble: "No treasury wallet is configured for this chain." };
  const found = await inParallel(
    signers.map(async (signer) => {
      const address = await openedAddress(round, signer);
      return address === null ? "unopened" : await hold(round, signer, address);
    }),
  );
  const wallets = found.filter((one) => one !== null && typeof one === "object");
  memory.inHand.set(round.chain.chain, { since: ctx.clock.now().getTime(), walletIds: wallets.map(({ row }) => row.id) });
  const halted = await noteHalts(round, wallets);
  if (found.every((one) => one === "unopened")) return { wallets, trouble: "No treasury wallet's signer can be opened." };
  if (halted !== null) return { wallets, trouble: haltReason(halted) };
  return { wallets, trouble: wallets.length === 0 && found.includes("unsure") ? UNCERTAIN : null };
}

/** Notes what is halted on the wallets that it concerns. Answers what halts the whole chain, if anything does. */
async function noteHalts({ chain, engine }: Round, wallets: readonly HeldWallet[]): Promise<LaneHalt | null> {
  const halts = await listHaltsOfChain(engine.ctx.db, chain.chain);
  const whole = halts.find(stopsChain) ?? null;
  for (const wallet of wallets) {
    const own = halts.find(({ lane }) => lane.kind === "wallet" && lane.key === wallet.row.id) ?? null;
    Object.assign(wallet, { halt: whole ?? own, isLaneHalted: own !== null });
  }
  return whole;
}

async function openedAddress({ chain, engine }: Round, signer: Signer): Promise<string | null> {
  try {
    return await signer.address();
  } catch (error) {
    engine.ctx.log.error({ chain: chain.chain, err: error }, "a treasury wallet's signer cannot be opened");
    return null;
  }
}

/** `unsure`: it is ours, but where its sequence begins is not certain yet. */
async function hold(round: Round, signer: Signer, address: string): Promise<HeldWallet | "unsure" | null> {
  const { ctx, memory, pace, workerId } = round.engine;
  const known = memory.walletIds.get(`${round.chain.chain} ${address}`);
  const walletId = known ?? (await ensureWallet(ctx.db, { chain: round.chain.chain, address, signer: signer.kind, now: ctx.clock.now() }));
  memory.walletIds.set(`${round.chain.chain} ${address}`, walletId);
  const row = await leaseWallet(ctx.db, { walletId, owner: workerId, seconds: pace.leaseSeconds });
  if (row === null) return null;
  const lease = { walletId, owner: workerId, fencingToken: row.fencingToken };
  const nextNonce = row.nextNonce ?? (await firstNonce(round, row, lease));
  if (nextNonce === null) return "unsure";
  let asked: Promise<number> | null = null;
  const chainNonce = () => (asked ??= round.node.nonce(address, "latest"));
  const inFlight = await sumInFlight(ctx.db, walletId, round.cursorHeight);
  return { row, signer, lease, nextNonce, inFlight, chainNonce, halt: null, isLaneHalted: false, aligned: null };
}

/** Whether it was the signer that did not do its part. */
export function isSignerTrouble(error: unknown): boolean {
  return error instanceof Unreachable || error instanceof Rejected;
}

/** Signers are asked over a network, too: what they do not answer is no fact about the payment. */
export function signerTrouble(error: unknown): string {
  return error instanceof Unreachable ? "The treasury wallet's signer cannot be reached." : "The treasury wallet's signer refuses to sign.";
}
