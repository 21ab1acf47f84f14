import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { saveChainHead } from "#db/queries/transfers/chain-heads.ts";
import { recordChainTrouble } from "#db/queries/transfers/transfers.ts";
import { ensureWallet } from "#db/queries/transfers/wallets.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import type { ChainPoint } from "#domain/lapsing-report.ts";
import { SignerAway } from "#domain/signer.ts";
import { silentChainReason } from "#domain/trouble-causes.ts";
import type { Verdict } from "#server/engines/duty.ts";
import { listAnswering, orSilent } from "#server/services/ledger/ask-lapsing-nodes.ts";
import { compareJournal } from "./compare-journal.ts";
import type { LapsingEngine, LapsingPass } from "./engine.ts";
import { followAttempts } from "./following/follow-attempts.ts";
import { signQueued } from "./signing/sign-queued.ts";

/**
 * One pass over one chain, the same at start-up and later: ask the nodes about open attempts, end what is final or has lapsed, send what may
 * be sent, sign what is queued, and send that. A chain whose nodes are silent waits, and says so; that is not an error.
 *
 * @returns `busy` when there is more to do at once
 */
export async function runLapsingOnce(engine: LapsingEngine, chain: LapsingChain, signal?: AbortSignal): Promise<Verdict> {
  const nodes = await listAnswering(chain);
  const [node] = nodes;
  const final = node === undefined ? null : await orSilent(node.finalPoint());
  if (node === undefined || final === null) {
    await recordTrouble(engine, chain, { nodesUp: nodes.length, final: null }, silentChainReason(chain.name));
    return "idle";
  }
  const about = { nodesUp: nodes.length, final };
  try {
    const unusable = await compareJournal(engine, chain);
    if (unusable !== null) {
      await recordTrouble(engine, chain, about, unusable.message);
      return "idle";
    }
    const pass: LapsingPass = { engine, chain, nodes, wallets: await rememberWallets(engine, chain) };
    const moreOpen = await followAttempts(pass);
    const signed = signal?.aborted ? { count: 0, isMore: false } : await signQueued(pass, node);
    // Nothing goes out before the nodes were asked about it, so what was signed just now takes the same way.
    const moreSent = signed.count > 0 && (await followAttempts(pass));
    await recordTrouble(engine, chain, about, null);
    return moreOpen || moreSent || signed.isMore ? "busy" : "idle";
  } catch (error) {
    if (!(error instanceof SignerAway)) throw error;
    await recordTrouble(engine, chain, about, error.message);
    await followWithoutSigner({ engine, chain, nodes, wallets: [] });
    return "idle";
  }
}

/** What is on the chain ends all the same. What is to be sent waits. */
async function followWithoutSigner(pass: LapsingPass): Promise<void> {
  try {
    await followAttempts(pass);
  } catch (error) {
    if (!(error instanceof SignerAway)) throw error;
  }
}

/** The wallets that this worker's signer has the keys of. Each has a row, on which people and halts stop it. */
async function rememberWallets({ ctx, signers, memory }: LapsingEngine, { chain }: LapsingChain): Promise<string[]> {
  const wallets = await Promise.all(signers.of(chain).map(async (wallet) => ({ address: await wallet.address(), signer: wallet.kind })));
  for (const { address, signer } of wallets) {
    if (memory.wallets.has(`${chain} ${address}`)) continue;
    await ensureWallet(ctx.db, { chain, address, signer, now: await readBusinessNow(ctx.db) });
    memory.wallets.add(`${chain} ${address}`);
  }
  return wallets.map(({ address }) => address);
}

/** Keeps what is wrong with the chain, on the chain and on every transfer that waits because of it; takes it away when it is over. */
async function recordTrouble(
  { ctx, memory }: LapsingEngine,
  { chain, name, nodes }: LapsingChain,
  { nodesUp, final }: { nodesUp: number; final: ChainPoint | null },
  trouble: string | null,
): Promise<void> {
  const { db, log } = ctx;
  if (trouble === null) memory.silence.ended(chain, (count) => log.info({ chain, ...count }, "a chain is available again"));
  else memory.silence.occurred(chain, (count) => log.warn({ chain, ...count, err: new Error(trouble) }, "a chain is unavailable"));
  await saveChainHead(db, {
    chain,
    height: final?.height ?? null,
    blockAt: final?.at ?? null,
    nodesUp,
    nodesTotal: nodes.length,
    trouble,
  });
  // The reason of an earlier process is unknown: most likely it was the nodes' silence.
  const before = memory.trouble.has(chain) ? memory.trouble.get(chain) : silentChainReason(name);
  if (before != null && before !== trouble) await recordChainTrouble(db, chain, { over: before });
  if (trouble !== null) await recordChainTrouble(db, chain, { reason: trouble });
  memory.trouble.set(chain, trouble);
}
