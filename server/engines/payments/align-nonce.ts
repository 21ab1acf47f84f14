import { highestNonce } from "#db/queries/transfers/nonce-sequence.ts";
import { listMinedBytes } from "#db/queries/transfers/transactions.ts";
import { moveNonce, setWalletTrouble, type Wallet } from "#db/queries/transfers/wallets.ts";
import { EvmRejected, Unreachable } from "#server/ports.ts";
import { cancelSpentInVain } from "./cancel-spent-in-vain.ts";
import { type HeldWallet, LeaseLost, type Round, type Sighting } from "./engine.ts";
import { fillFreeNonces } from "./fill-free-nonces.ts";
import { haltForForeign } from "./halt-for-foreign.ts";

/** Why a wallet signs nothing while its sequence and the chain's count of it disagree. */
export const UNCERTAIN = "The nodes have not told often enough yet how many transactions the treasury wallet has made.";

/** How often a count that is not ours must be told before it is believed: at higher and higher heads, or so long apart. */
const SIGHTINGS = 3;
const APART_MS = 10_000;
const RESENT_AT_ONCE = 256;

/**
 * A wallet that is new here goes on where the chain says it stands; one whose row was lost, never below what it already signed. Null
 * while that is not certain: a count above zero is believed as {@link alignNonce} believes one. It cannot be below zero.
 */
export async function firstNonce(round: Round, row: Wallet, lease: HeldWallet["lease"]): Promise<number | null> {
  const { db } = round.engine.ctx;
  const count = await round.node.nonce(row.address, "pending");
  if (!(await noneContradicts(round, row.address, "pending", (theirs) => theirs === count))) return null;
  if (count > 0 && !isCertain(round, row.id, "first", count)) return null;
  const highest = await highestNonce(db, row.id);
  const next = Math.max(count, highest === null ? 0 : highest + 1);
  if (!(await moveNonce(db, lease, { from: null, to: next, height: round.head.height })))
    throw new LeaseLost("the wallet was taken by another worker");
  round.engine.memory.sightings.delete(row.id);
  return next;
}

/**
 * Compares a wallet's sequence with the chain's count of it, once a round, before something new is signed. One node's count is a hint: a
 * count that is not ours is believed when it is told several times, at every node that answers. Nonces that were spent although this
 * service never signed them halt the wallet; nonces that nobody ever used, below what is signed, are filled.
 *
 * @returns whether the wallet may sign new payments
 */
export async function alignNonce(round: Round, wallet: HeldWallet): Promise<boolean> {
  wallet.aligned ??= align(round, wallet);
  return await wallet.aligned;
}

async function align(round: Round, wallet: HeldWallet): Promise<boolean> {
  const { sightings } = round.engine.memory;
  const count = await wallet.chainNonce();
  const lowest = wallet.inFlight.lowestNonce ?? wallet.nextNonce;
  if (count > wallet.nextNonce) return await meetAhead(round, wallet, count);
  const missing = count < lowest ? await meetGap(round, wallet, { count, lowest }) : null;
  if (missing === null) sightings.delete(wallet.row.id);
  await tellTrouble(round, wallet, missing);
  return wallet.halt === null;
}

async function meetAhead(round: Round, wallet: HeldWallet, count: number): Promise<boolean> {
  const { row, nextNonce } = wallet;
  if (wallet.halt !== null) return false; // it stands: what else was spent is met when it is lifted
  const theirs: number[] = [];
  const agreed = await noneContradicts(round, row.address, "latest", (own) => theirs.push(own) > 0 && own > nextNonce);
  const lowest = Math.min(count, ...theirs);
  // Nothing is signed either way: a halt, which takes people to lift, waits for a second node where one is configured.
  const isWitnessed = theirs.length > 0 || round.chain.nodes.length === 1;
  if (!agreed || !isWitnessed) round.engine.memory.sightings.delete(row.id);
  else if (isCertain(round, row.id, "ahead", lowest)) {
    const certain = round.engine.memory.sightings.get(row.id)?.count ?? lowest;
    await haltForForeign(round, wallet, certain);
    round.engine.memory.sightings.delete(row.id);
    await tellTrouble(round, wallet, null);
    return false;
  }
  await tellTrouble(round, wallet, `The chain is said to count ${count - nextNonce} transactions that are not ours. ${UNCERTAIN}`);
  return false;
}

/**
 * The chain does not have what was signed below the wallet's open transactions. Transactions of ours that it has forgotten (a
 * reorganisation deeper than its confirmations) are sent again, the very bytes; nonces that never were anybody's, and those that were spent in
 * vain, are filled once it is certain that they are free. Answers what is wrong, in words; null when that was all ours.
 */
async function meetGap(round: Round, wallet: HeldWallet, { count, lowest }: { count: number; lowest: number }): Promise<string | null> {
  const { ctx, memory } = round.engine;
  const { row } = wallet;
  for (const { nonce, rawBytes } of await listMinedBytes(ctx.db, row.id, count, lowest, RESENT_AT_ONCE)) {
    ctx.log.error({ wallet: row.address, nonce }, "the chain forgot a transaction that was in a block: sending its bytes again");
    await round.node.send(rawBytes).catch((error: unknown) => {
      if (!(error instanceof EvmRejected)) throw error;
    });
  }
  const agreed = await noneContradicts(round, row.address, "latest", (own) => own <= count);
  if (!agreed) memory.sightings.delete(row.id);
  const range = { from: count, below: lowest };
  const isSure = () => agreed && isCertain(round, row.id, "behind", count);
  const missing = (await fillFreeNonces(round, wallet, range, isSure)) + (await cancelSpentInVain(round, wallet, range, isSure));
  return missing === 0
    ? null
    : `${missing} nonces below ${lowest} are missing on the chain: nothing later of this wallet is mined before they are filled.`;
}

/** Whether the same was told often enough, whatever was told in between by mistake having made it begin anew. */
function isCertain(round: Round, walletId: string, kind: Sighting["kind"], count: number): boolean {
  const { sightings } = round.engine.memory;
  const at = round.engine.ctx.clock.now().getTime();
  const { height } = round.head;
  const before = sightings.get(walletId);
  const isSame = before?.kind === kind && (kind === "ahead" || before.count === count);
  if (before === undefined || !isSame) {
    sightings.set(walletId, { kind, count, times: 1, height, at });
    return false;
  }
  if (height <= before.height && at - before.at < APART_MS) return before.times >= SIGHTINGS;
  sightings.set(walletId, { kind, count: Math.min(before.count, count), times: before.times + 1, height, at });
  return before.times + 1 >= SIGHTINGS;
}

/** Whether every other node that answers says what agrees. Silence contradicts nothing. */
async function noneContradicts(
  round: Round,
  address: string,
  at: "latest" | "pending",
  agrees: (count: number) => boolean,
): Promise<boolean> {
  for (const witness of round.witnesses) {
    try {
      if (!agrees(await witness.nonce(address, at))) return false;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  return true;
}

/** Says what is wrong with the wallet, and takes it away when it is over. */
async function tellTrouble({ chain, engine }: Round, { row }: HeldWallet, trouble: string | null): Promise<void> {
  if (row.trouble === trouble) return;
  if (trouble !== null) engine.ctx.log.warn({ chain: chain.chain, wallet: row.address, trouble }, "a wallet's sequence is not the chain's");
  await setWalletTrouble(engine.ctx.db, row.id, trouble);
  row.trouble = trouble;
}
