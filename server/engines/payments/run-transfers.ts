import { saveChainHead } from "#db/queries/transfers/chain-heads.ts";
import { recordChainTrouble } from "#db/queries/transfers/transfers.ts";
import type { EvmFeeMarket } from "#domain/evm-fees.ts";
import { JournalUnusable, JournalUnwritable } from "#domain/journal.ts";
import { SignerAway } from "#domain/signer.ts";
import { silentChainReason } from "#domain/trouble-causes.ts";
import { inParallel, type Verdict } from "#server/engines/duty.ts";
import { type EvmChain, type EvmNode, EvmRejected, Unreachable } from "#server/ports.ts";
import { compareJournal } from "./claiming/compare-journal.ts";
import { checkTokens, connectNodes, type Meeting } from "./claiming/connect-nodes.ts";
import { findUnknown } from "./claiming/find-unknown.ts";
import { leaseWallets } from "./claiming/lease-wallets.ts";
import { observeTreasury } from "./claiming/observe-treasury.ts";
import { recordUnleased } from "./claiming/record-unleased.ts";
import { processOrphaned } from "./deep-fork/process-orphaned.ts";
import { processOrphanedNonces } from "./deep-fork/process-orphaned-nonces.ts";
import { ChainMisconfigured, LeaseLost, type Pass, type TransferEngine } from "./engine.ts";
import { CURRENT, followChain } from "./following/follow-chain.ts";
import { settleFinal } from "./following/settle-final.ts";
import { processOpen } from "./sending/process-open.ts";
import { signQueued } from "./signing/sign-queued.ts";

/**
 * One pass over one chain, the same at start-up and later: read the chain, end what is deep enough, sign queued payments, send and follow
 * signed ones. A chain whose nodes are silent or contradict the configuration waits, and says so; that is not an error.
 *
 * @returns `busy` when there is more to do at once
 */
export async function runTransfersOnce(engine: TransferEngine, chainName: string, signal?: AbortSignal): Promise<Verdict> {
  const chain = engine.ctx.evm.find(chainName);
  if (chain === null) throw new Error(`${chainName} is no configured EVM chain`);
  let meeting: Meeting | null = null;
  try {
    meeting = await connectNodes(engine, chain);
    await checkTokens(engine, chain, meeting.node);
    const busy = await pass(engine, chain, meeting, signal);
    await recordTrouble(engine, chain, meeting, null);
    engine.memory.silence.ended(chain.chain, (count) =>
      engine.ctx.log.info({ chain: chain.chain, ...count }, "a chain is available again"),
    );
    return busy ? "busy" : "idle";
  } catch (error) {
    // A worker that cannot work on the chain does not keep its wallets from another that can.
    engine.memory.inHand.delete(chain.chain);
    if (error instanceof LeaseLost) return "idle";
    if (!TROUBLES.some((kind) => error instanceof kind)) throw error;
    engine.memory.silence.occurred(chain.chain, (count) =>
      engine.ctx.log.warn({ chain: chain.chain, ...count, err: error }, "a chain is unavailable"),
    );
    await recordTrouble(engine, chain, meeting, reasonOf(chain, error));
    return "idle";
  }
}

/** What a chain waits for, and says so. */
const TROUBLES = [Unreachable, ChainMisconfigured, JournalUnusable, JournalUnwritable, SignerAway];

function reasonOf({ name }: EvmChain, error: unknown): string {
  return error instanceof Unreachable || !(error instanceof Error) ? silentChainReason(name) : error.message;
}

async function pass(engine: TransferEngine, chain: EvmChain, meeting: Meeting, signal: AbortSignal | undefined): Promise<boolean> {
  let looked: ReturnType<Pass["unknown"]> | null = null;
  const unknown = () => (looked ??= findUnknown({ engine, chain, ...meeting }));
  const rules = { engine, chain, market: feeMarket(meeting), dataFee: dataFee(chain, meeting), unknown };
  const { cursorHeight, behind } = await followChain({ ...rules, ...meeting });
  const pass: Pass = { ...rules, ...meeting, cursorHeight };
  // Ending and beginning transfers are different ones, and do not wait for one another.
  let isEnding = true;
  const ending = settleFinal(pass).finally(() => {
    isEnding = false;
  });
  const [moreFinal, moreOpen] = await inParallel([ending, processWallets(pass, () => isEnding, signal)]);
  return behind || moreFinal || moreOpen;
}

/**
 * A stopping worker takes no new wallet, and signs nothing new with those that it has. `isEnding`: payments are still being ended, and
 * meanwhile more are signed and sent.
 */
async function processWallets(pass: Pass, isEnding: () => boolean, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted) return false;
  const { unusable, behind } = await compareJournal(pass);
  if (unusable !== null) {
    // Nothing can be sent. What the chain counts is compared all the same: a restored database is seen by that, too.
    const { wallets } = await leaseWallets(pass);
    await observeTreasury(pass, wallets);
    throw unusable;
  }
  await processOrphaned(pass);
  for (;;) {
    if (signal?.aborted) return false;
    const holding = await leaseWallets(pass);
    await processOrphanedNonces(pass, holding.wallets);
    const current = pass.head.height - pass.cursorHeight <= CURRENT;
    const moreQueued = current && !behind && !signal?.aborted && (await signQueued(pass, holding));
    const moreOpen = await inParallel(holding.wallets.map((wallet) => processOpen(pass, wallet)));
    if (moreQueued && isEnding()) continue;
    const isUnderway = holding.wallets.some(({ inFlight, nextNonce, row }) => inFlight.count > 0 || nextNonce !== row.nextNonce);
    pass.engine.memory.underway[isUnderway ? "add" : "delete"](pass.chain.chain);
    await recordUnleased(pass);
    await observeTreasury(pass, holding.wallets);
    return moreQueued || moreOpen.includes(true);
  }
}

/** The node's suggestion is read at most once a pass, and only when something is priced. */
function feeMarket({ node, head }: Meeting): () => Promise<EvmFeeMarket> {
  let asked: Promise<EvmFeeMarket> | null = null;
  return () => (asked ??= node.tip().then((tip) => ({ baseFeePerGas: head.baseFeePerGas, tip })));
}

/** A signed token payment has some 180 bytes. The fee follows the chain below, which may cost twice as much by the time it is mined. */
const PAYMENT_BYTES = 256;

/** Read at most once a pass, where the chain charges for data besides gas. If it is unknown, nothing is signed. */
function dataFee(chain: EvmChain, { node }: Meeting): () => Promise<bigint> {
  let asked: Promise<bigint> | null = null;
  return () => (asked ??= chain.dataFee === null ? Promise.resolve(0n) : askDataFee(chain, node));
}

async function askDataFee(chain: EvmChain, node: EvmNode): Promise<bigint> {
  try {
    return 2n * (await node.dataFee(PAYMENT_BYTES));
  } catch (error) {
    if (!(error instanceof EvmRejected)) throw error;
    throw new ChainMisconfigured(`${chain.name} does not say what it charges for data; if it charges nothing, set data_fee to none`);
  }
}

/** Keeps what is wrong with the chain, on the chain and on every transfer that waits because of it; takes it away when it is over. */
async function recordTrouble(engine: TransferEngine, chain: EvmChain, meeting: Meeting | null, trouble: string | null): Promise<void> {
  const { db } = engine.ctx;
  await saveChainHead(db, {
    chain: chain.chain,
    height: meeting?.head.height ?? null,
    blockAt: meeting?.head.at ?? null,
    nodesUp: meeting ? chain.nodes.length - meeting.silentNodes : 0,
    nodesTotal: chain.nodes.length,
    trouble,
  });
  const before = engine.memory.trouble.get(chain.chain);
  // The reason of an earlier process is unknown: most likely it was the nodes' silence.
  const over = before === undefined ? silentChainReason(chain.name) : before;
  if (over !== null && over !== trouble) await recordChainTrouble(db, chain.chain, { over });
  if (trouble !== null) await recordChainTrouble(db, chain.chain, { reason: trouble });
  engine.memory.trouble.set(chain.chain, trouble);
}
