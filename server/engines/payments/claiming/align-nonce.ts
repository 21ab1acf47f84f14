import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { highestNonce } from "#db/queries/transfers/nonce-sequence.ts";
import { insertOrphanedNonces, listMissingNonces } from "#db/queries/transfers/orphaned-nonces.ts";
import { listMinedPlaces } from "#db/queries/transfers/transactions.ts";
import { moveNonce, setWalletTrouble, type Wallet } from "#db/queries/transfers/wallets.ts";
import { inParallel } from "#server/engines/duty.ts";
import { type LeasedWallet, LeaseLost, momentOf, type Pass, type Unknown } from "#server/engines/payments/engine.ts";
import { admitBytes, sendBytes } from "#server/engines/payments/sending/send-bytes.ts";
import { fillFreeNonces } from "#server/engines/payments/signing/fill-free-nonces.ts";
import { type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { countUsed } from "./find-unknown.ts";
import { haltForForeign } from "./halt-for-foreign.ts";

/** Why a wallet signs nothing while its sequence and the chain's count of it disagree. */
export const UNCERTAIN = "The nodes have not said often enough yet how many transactions the treasury wallet has made.";

const RESENT_AT_ONCE = 256;
const FILLED_AT_ONCE = 16;

/**
 * A wallet that is new here continues where the chain says that it is; one whose row was lost, never below what it already signed. Null
 * while that is not certain: a count above zero is believed as {@link alignNonce} believes one. It cannot be below zero.
 */
export async function firstNonce(pass: Pass, row: Wallet, lease: LeasedWallet["lease"]): Promise<number | null> {
  const { db } = pass.engine.ctx;
  const count = await countUsed(pass.node, row.address);
  if (
    !(await noneContradicts(
      pass,
      (witness) => countUsed(witness, row.address),
      (theirs) => theirs === count,
    ))
  )
    return null;
  const { nonces } = pass.engine.memory;
  if (count > 0 && nonces.repeated(row.id, { what: `first ${count}`, count }, momentOf(pass)) === null) return null;
  const highest = await highestNonce(db, row.id);
  const next = Math.max(count, highest === null ? 0 : highest + 1);
  if (!(await moveNonce(db, lease, { from: null, to: next, height: pass.head.height })))
    throw new LeaseLost("the wallet was taken by another worker");
  nonces.forget(row.id);
  return next;
}

/**
 * Compares a wallet's sequence with the chain's count of it, once a round, before something new is signed. One node's count is a hint: a
 * count that is not ours is believed when it is reported several times, at every node that answers. Nonces that are used although this
 * service never signed them halt the wallet, in blocks or waiting in a pool; nonces that nobody ever used, below what is signed, are
 * filled. While any wallet of the chain has such nonces, no wallet of it signs: what they pay may be what is owed here.
 *
 * @returns whether the wallet may sign new payments
 */
export async function alignNonce(pass: Pass, wallet: LeasedWallet): Promise<boolean> {
  wallet.aligned ??= align(pass, wallet);
  return await wallet.aligned;
}

async function align(pass: Pass, wallet: LeasedWallet): Promise<boolean> {
  const { nonces } = pass.engine.memory;
  const [count, unknown] = await inParallel([wallet.chainNonce(), pass.unknown()]);
  const own = unknown.get(wallet.row.id);
  if (own !== undefined) {
    await meetAhead(pass, wallet, own);
    return false;
  }
  const lowest = wallet.inFlight.lowestNonce ?? wallet.nextNonce;
  const missing = count < lowest ? await meetGap(pass, wallet, { count, lowest }) : null;
  if (missing === null) nonces.forget(wallet.row.id);
  await describeTrouble(pass, wallet, missing);
  return wallet.halt === null && unknown.size === 0;
}

async function meetAhead(pass: Pass, wallet: LeasedWallet, { firstCount, witnessed, nextNonce }: Unknown): Promise<void> {
  const { row } = wallet;
  if (wallet.isScopeHalted) return; // what else was used is met when that is lifted
  const { nonces } = pass.engine.memory;
  const lowest = Math.min(firstCount, ...witnessed);
  // Nothing is signed either way: a halt, which takes people to lift, waits for a second node where one is configured.
  const isWitnessed = witnessed.length > 0 || pass.chain.nodes.length === 1;
  const isAhead = lowest > nextNonce && isWitnessed;
  const repeated = isAhead ? nonces.repeated(row.id, { what: "ahead", count: lowest }, momentOf(pass)) : null;
  if (!isAhead) nonces.forget(row.id);
  if (repeated !== null) {
    await haltForForeign(pass, wallet, repeated);
    nonces.forget(row.id);
    return await describeTrouble(pass, wallet, null);
  }
  const most = Math.max(firstCount, ...witnessed);
  await describeTrouble(pass, wallet, `The chain is said to count ${most - nextNonce} transactions that are not ours. ${UNCERTAIN}`);
}

/**
 * The chain does not have what was signed below the wallet's open transactions. Transactions of ours that it has forgotten (a
 * reorganisation deeper than its confirmations) are sent again, the very bytes; nonces that never were anybody's are filled once it is
 * certain that they are free, and those that were spent without a payment are spent on nothing (`processOrphanedNonces`). Answers what is wrong, in words;
 * null when that was all ours.
 */
async function meetGap(pass: Pass, wallet: LeasedWallet, { count, lowest }: { count: number; lowest: number }): Promise<string | null> {
  const { ctx, memory } = pass.engine;
  const { row } = wallet;
  const places = await listMinedPlaces(ctx.db, row.id, count, lowest, RESENT_AT_ONCE);
  const mined = places.flatMap((transaction) => {
    const attempt = transaction.attempts.find(({ hash }) => hash === transaction.transfer.txHash);
    return attempt ? [{ transaction, attempt }] : [];
  });
  for (const admitted of await admitBytes(pass, mined)) {
    const { nonce } = admitted.transaction;
    ctx.log.error({ wallet: row.address, nonce }, "a reorg removed a transaction from its block: sending its bytes again");
    await sendBytes(pass, admitted).catch((error: unknown) => {
      if (!(error instanceof EvmRejected)) throw error;
    });
  }
  const agreed = await noneContradicts(
    pass,
    (witness) => witness.nonce(row.address, "latest"),
    (own) => own <= count,
  );
  if (!agreed) memory.nonces.forget(row.id);
  const missing = await listMissingNonces(ctx.db, row.id, { from: count, below: lowest }, FILLED_AT_ONCE);
  if (missing.length === 0) return null;
  if (agreed && memory.nonces.repeated(row.id, { what: `behind ${count}`, count }, momentOf(pass)) !== null) {
    await fillFreeNonces(
      pass,
      wallet,
      missing.flatMap(({ nonce, transactionId }) => (transactionId === null ? [nonce] : [])),
    );
    const inVain = missing.flatMap(({ transactionId }) => transactionId ?? []);
    await insertOrphanedNonces(ctx.db, inVain, await readBusinessNow(ctx.db));
  }
  return `${missing.length} nonces below ${lowest} are missing on the chain: nothing later of this wallet is mined before they are filled.`;
}

/** Whether every other node that answers says what agrees. Silence contradicts nothing. */
async function noneContradicts(
  pass: Pass,
  ask: (witness: EvmNode) => Promise<number>,
  agrees: (count: number) => boolean,
): Promise<boolean> {
  for (const witness of pass.witnesses) {
    try {
      if (!agrees(await ask(witness))) return false;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }
  return true;
}

/** Says what is wrong with the wallet, and takes it away when it is over. */
async function describeTrouble({ chain, engine }: Pass, { row }: LeasedWallet, trouble: string | null): Promise<void> {
  if (row.trouble === trouble) return;
  if (trouble !== null)
    engine.ctx.log.warn({ chain: chain.chain, wallet: row.address, trouble }, "a wallet's nonce differs from the chain's");
  await setWalletTrouble(engine.ctx.db, row.id, trouble);
  row.trouble = trouble;
}
