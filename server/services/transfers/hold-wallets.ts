import { sumInFlight } from "#db/queries/in-flight.ts";
import { highestNonce } from "#db/queries/transactions.ts";
import { ensureWallet, leaseWallet, moveNonce, releaseWallets, setWalletTrouble, type Wallet } from "#db/queries/wallets.ts";
import { Rejected, type Signer, Unreachable } from "#server/ports.ts";
import { type HeldWallet, LeaseLost, type Round, type TransferEngine } from "./engine.ts";

/** The wallets this worker may sign for now, and why it has none at all where the reason is ours and not another worker's. */
export type Holding = { wallets: HeldWallet[]; trouble: string | null };

/** Takes or renews the lease of every treasury wallet of the chain that no other worker holds. */
export async function holdWallets(round: Round): Promise<Holding> {
  const signers = round.engine.ctx.signers.of(round.chain.chain);
  const { ctx, memory } = round.engine;
  memory.inHand.delete(round.chain.chain);
  if (signers.length === 0) return { wallets: [], trouble: "No treasury wallet is configured for this chain." };
  const wallets: HeldWallet[] = [];
  let unopened = 0;
  for (const signer of signers) {
    const address = await openedAddress(round, signer);
    if (address === null) unopened += 1;
    else wallets.push(...(await hold(round, signer, address)));
  }
  memory.inHand.set(round.chain.chain, { since: ctx.clock.now().getTime(), walletIds: wallets.map(({ row }) => row.id) });
  return { wallets, trouble: unopened === signers.length ? "No treasury wallet's signer can be opened." : null };
}

/** Gives the leases back, so that another worker can go on at once. Call it when the process ends in order. */
export async function releaseTransferLeases(engine: Pick<TransferEngine, "ctx" | "workerId">): Promise<void> {
  await releaseWallets(engine.ctx.db, engine.workerId);
}

async function openedAddress({ chain, engine }: Round, signer: Signer): Promise<string | null> {
  try {
    return await signer.address();
  } catch (error) {
    engine.ctx.log.error({ chain: chain.chain, err: error }, "a treasury wallet's signer cannot be opened");
    return null;
  }
}

async function hold(round: Round, signer: Signer, address: string): Promise<HeldWallet[]> {
  const { ctx, memory, pace, workerId } = round.engine;
  const known = memory.walletIds.get(`${round.chain.chain} ${address}`);
  const walletId = known ?? (await ensureWallet(ctx.db, { chain: round.chain.chain, address, now: ctx.clock.now() }));
  memory.walletIds.set(`${round.chain.chain} ${address}`, walletId);
  const row = await leaseWallet(ctx.db, { walletId, owner: workerId, leaseMs: pace.leaseMs });
  if (row === null) return [];
  const lease = { walletId, owner: workerId, fencingToken: row.fencingToken };
  const nextNonce = row.nextNonce ?? (await firstNonce(round, row, lease));
  let asked: Promise<number> | null = null;
  const chainNonce = () => (asked ??= round.node.nonce(address, "latest"));
  return [{ row, signer, lease, nextNonce, inFlight: await sumInFlight(ctx.db, walletId, round.cursorHeight), chainNonce }];
}

/** A wallet that is new here goes on where the chain says it stands; one whose row was lost, never below what it already signed. */
async function firstNonce({ node, engine }: Round, row: Wallet, lease: HeldWallet["lease"]): Promise<number> {
  const onChain = await node.nonce(row.address, "pending");
  const highest = await highestNonce(engine.ctx.db, row.id);
  const next = Math.max(onChain, highest === null ? 0 : highest + 1);
  if (!(await moveNonce(engine.ctx.db, lease, null, next))) throw new LeaseLost("the wallet was taken by another worker");
  return next;
}

/**
 * Brings a wallet's sequence in line with the chain before something new is signed. Nonces that were spent although this service
 * never signed them mean that something else uses the key: it goes on behind them, and says so.
 */
export async function alignNonce(round: Round, wallet: HeldWallet): Promise<void> {
  const { db, log } = round.engine.ctx;
  let onChain = await wallet.chainNonce();
  if (onChain <= wallet.nextNonce) return;
  // A gap can never be filled again, so that one node's word is not enough where there are more.
  for (const witness of round.witnesses) onChain = Math.min(onChain, await witness.nonce(wallet.row.address, "latest"));
  if (onChain <= wallet.nextNonce) return;
  const trouble = `The key is used by something else: nonces ${wallet.nextNonce} to ${onChain - 1} were spent by unknown transactions.`;
  log.error({ chain: round.chain.chain, wallet: wallet.row.address }, trouble);
  if (!(await moveNonce(db, wallet.lease, wallet.nextNonce, onChain))) throw new LeaseLost("the wallet was taken by another worker");
  await setWalletTrouble(db, wallet.row.id, trouble);
  wallet.nextNonce = onChain;
}

/** Whether it was the signer that did not do its part. */
export function isSignerTrouble(error: unknown): boolean {
  return error instanceof Unreachable || error instanceof Rejected;
}

/** Signers are asked over a network, too: what they do not answer is no fact about the payment. */
export function signerTrouble(error: unknown): string {
  return error instanceof Unreachable ? "The treasury wallet's signer cannot be reached." : "The treasury wallet's signer refuses to sign.";
}
