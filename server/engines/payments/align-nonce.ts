import { insertAdriftPlaces, listMissingNonces } from "#db/queries/transfers/adrift-places.ts";
import { highestNonce } from "#db/queries/transfers/nonce-sequence.ts";
import { listMinedBytes } from "#db/queries/transfers/transactions.ts";
import { moveNonce, setWalletTrouble, type Wallet } from "#db/queries/transfers/wallets.ts";
import { readBusinessNow } from "#db/queries/upkeep/clock.ts";
import { inParallel } from "#server/engines/duty.ts";
import { type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { type HeldWallet, LeaseLost, type Round, type Sighting, type Unknown } from "./engine.ts";
import { fillFreeNonces } from "./fill-free-nonces.ts";
import { countUsed } from "./find-unknown.ts";
import { haltForForeign } from "./halt-for-foreign.ts";

/** Why a wallet signs nothing while its sequence and the chain's count of it disagree. */
export const UNCERTAIN = "The nodes have not told often enough yet how many transactions the treasury wallet has made.";

/** How often a count that is not ours must be told before it is believed: at higher and higher heads, or so long apart. */
const SIGHTINGS = 3;
const APART_MS = 10_000;
const RESENT_AT_ONCE = 256;
const FILLED_AT_ONCE = 16;

/**
 * A wallet that is new here goes on where the chain says it stands; one whose row was lost, never below what it already signed. Null
 * while that is not certain: a count above zero is believed as {@link alignNonce} believes one. It cannot be below zero.
 */
export async function firstNonce(round: Round, row: Wallet, lease: HeldWallet["lease"]): Promise<number | null> {
  const { db } = round.engine.ctx;
  const count = await countUsed(round.node, row.address);
  if (
    !(await noneContradicts(
      round,
      (witness) => countUsed(witness, row.address),
      (theirs) => theirs === count,
    ))
  )
    return null;
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
 * count that is not ours is believed when it is told several times, at every node that answers. Nonces that are used although this
 * service never signed them halt the wallet, in blocks or waiting in a pool; nonces that nobody ever used, below what is signed, are
 * filled. While any wallet of the chain has such nonces, no wallet of it signs: what they pay may be what is owed here.
 *
 * @returns whether the wallet may sign new payments
 */
export async function alignNonce(round: Round, wallet: HeldWallet): Promise<boolean> {
  wallet.aligned ??= align(round, wallet);
  return await wallet.aligned;
}

async function align(round: Round, wallet: HeldWallet): Promise<boolean> {
  const { sightings } = round.engine.memory;
  const [count, unknown] = await inParallel([wallet.chainNonce(), round.unknown()]);
  const own = unknown.get(wallet.row.id);
  if (own !== undefined) {
    await meetAhead(round, wallet, own);
    return false;
  }
  const lowest = wallet.inFlight.lowestNonce ?? wallet.nextNonce;
  const missing = count < lowest ? await meetGap(round, wallet, { count, lowest }) : null;
  if (missing === null) sightings.delete(wallet.row.id);
  await tellTrouble(round, wallet, missing);
  return wallet.halt === null && unknown.size === 0;
}

async function meetAhead(round: Round, wallet: HeldWallet, { spoken, witnessed, nextNonce }: Unknown): Promise<void> {
  const { row } = wallet;
  if (wallet.isLaneHalted) return; // what else was used is met when that is lifted
  const { sightings } = round.engine.memory;
  const lowest = Math.min(spoken, ...witnessed);
  // Nothing is signed either way: a halt, which takes people to lift, waits for a second node where one is configured.
  const isWitnessed = witnessed.length > 0 || round.chain.nodes.length === 1;
  if (lowest <= nextNonce || !isWitnessed) sightings.delete(row.id);
  else if (isCertain(round, row.id, "ahead", lowest)) {
    await haltForForeign(round, wallet, sightings.get(row.id)?.count ?? lowest);
    sightings.delete(row.id);
    return await tellTrouble(round, wallet, null);
  }
  const most = Math.max(spoken, ...witnessed);
  await tellTrouble(round, wallet, `The chain is said to count ${most - nextNonce} transactions that are not ours. ${UNCERTAIN}`);
}

/**
 * The chain does not have what was signed below the wallet's open transactions. Transactions of ours that it has forgotten (a
 * reorganisation deeper than its confirmations) are sent again, the very bytes; nonces that never were anybody's are filled once it is
 * certain that they are free, and those that were spent in vain are spent on nothing (`tendPlaces`). Answers what is wrong, in words;
 * null when that was all ours.
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
  const agreed = await noneContradicts(
    round,
    (witness) => witness.nonce(row.address, "latest"),
    (own) => own <= count,
  );
  if (!agreed) memory.sightings.delete(row.id);
  const missing = await listMissingNonces(ctx.db, row.id, { from: count, below: lowest }, FILLED_AT_ONCE);
  if (missing.length === 0) return null;
  if (agreed && isCertain(round, row.id, "behind", count)) {
    await fillFreeNonces(
      round,
      wallet,
      missing.flatMap(({ nonce, transactionId }) => (transactionId === null ? [nonce] : [])),
    );
    const inVain = missing.flatMap(({ transactionId }) => transactionId ?? []);
    await insertAdriftPlaces(ctx.db, inVain, await readBusinessNow(ctx.db));
  }
  return `${missing.length} nonces below ${lowest} are missing on the chain: nothing later of this wallet is mined before they are filled.`;
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
  ask: (witness: EvmNode) => Promise<number>,
  agrees: (count: number) => boolean,
): Promise<boolean> {
  for (const witness of round.witnesses) {
    try {
      if (!agrees(await ask(witness))) return false;
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
