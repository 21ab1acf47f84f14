import { listHaltsOfChain } from "#db/queries/halts/scope-halts.ts";
import { sumInFlight } from "#db/queries/transfers/in-flight.ts";
import { ensureWallet, leaseWallet } from "#db/queries/transfers/wallets.ts";
import { haltReason, type ScopeHalt, stopsChain } from "#domain/halt-scope.ts";
import type { OwnWallet } from "#domain/signer.ts";
import { inParallel } from "#server/engines/duty.ts";
import type { LeasedWallet, Pass } from "#server/engines/payments/engine.ts";
import { firstNonce, UNCERTAIN } from "./align-nonce.ts";

/** The wallets this worker may sign for now, and why nothing is signed at all where the reason is ours and not another worker's. */
export type LeasedWallets = { wallets: LeasedWallet[]; trouble: string | null };

/** Takes or renews the lease of every treasury wallet of the chain that no other worker holds. */
export async function leaseWallets(pass: Pass): Promise<LeasedWallets> {
  const signers = pass.engine.ctx.signers.of(pass.chain.chain);
  const { ctx, memory } = pass.engine;
  memory.inHand.delete(pass.chain.chain);
  if (signers.length === 0) return { wallets: [], trouble: "No treasury wallet is configured for this chain." };
  const found = await inParallel(
    signers.map(async (signer) => {
      const address = await openedAddress(pass, signer);
      return address === null ? "unopened" : await hold(pass, signer, address);
    }),
  );
  const wallets = found.filter((one) => one !== null && typeof one === "object");
  memory.inHand.set(pass.chain.chain, { since: ctx.clock.now().getTime(), walletIds: wallets.map(({ row }) => row.id) });
  const halted = await recordHalts(pass, wallets);
  if (found.every((one) => one === "unopened")) return { wallets, trouble: "No treasury wallet's signer can be opened." };
  if (halted !== null) return { wallets, trouble: haltReason(halted) };
  return { wallets, trouble: wallets.length === 0 && found.includes("unsure") ? UNCERTAIN : null };
}

/** Notes what is halted on the wallets that it concerns. Answers what halts the whole chain, if anything does. */
async function recordHalts({ chain, engine }: Pass, wallets: readonly LeasedWallet[]): Promise<ScopeHalt | null> {
  const halts = await listHaltsOfChain(engine.ctx.db, chain.chain);
  const whole = halts.find(stopsChain) ?? null;
  for (const wallet of wallets) {
    const own = halts.find(({ scope }) => scope.kind === "wallet" && scope.key === wallet.row.id) ?? null;
    Object.assign(wallet, { halt: whole ?? own, isScopeHalted: own !== null });
  }
  return whole;
}

async function openedAddress({ chain, engine }: Pass, signer: OwnWallet): Promise<string | null> {
  try {
    return await signer.address();
  } catch (error) {
    engine.ctx.log.error({ chain: chain.chain, err: error }, "a treasury wallet's signer cannot be opened");
    return null;
  }
}

/** `unsure`: it is ours, but where its sequence begins is not certain yet. */
async function hold(pass: Pass, signer: OwnWallet, address: string): Promise<LeasedWallet | "unsure" | null> {
  const { ctx, memory, timings, workerId } = pass.engine;
  const known = memory.walletIds.get(`${pass.chain.chain} ${address}`);
  const walletId = known ?? (await ensureWallet(ctx.db, { chain: pass.chain.chain, address, signer: signer.kind, now: ctx.clock.now() }));
  memory.walletIds.set(`${pass.chain.chain} ${address}`, walletId);
  const row = await leaseWallet(ctx.db, { walletId, owner: workerId, seconds: timings.leaseSeconds });
  if (row === null) return null;
  const lease = { walletId, owner: workerId, fencingToken: row.fencingToken };
  const nextNonce = row.nextNonce ?? (await firstNonce(pass, row, lease));
  if (nextNonce === null) return "unsure";
  let asked: Promise<number> | null = null;
  const chainNonce = () => (asked ??= pass.node.nonce(address, "latest"));
  const inFlight = await sumInFlight(ctx.db, walletId, pass.cursorHeight);
  return { row, signer, lease, nextNonce, inFlight, chainNonce, halt: null, isScopeHalted: false, aligned: null };
}
