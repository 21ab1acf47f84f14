import { findLargestLapsingFee } from "#db/queries/transfers/lapsing-attempts.ts";
import { sumQueued } from "#db/queries/transfers/transfers.ts";
import { saveWalletBalance } from "#db/queries/transfers/wallet-balances.ts";
import { listWallets, type Wallet } from "#db/queries/transfers/wallets.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { canonicalOf, type LapsingChain, type LapsingNode } from "#domain/lapsing-chain.ts";
import type { TokenInfo } from "#domain/token.ts";
import { HEADS_EVERY_MS } from "#domain/vitals.ts";
import type { Duty } from "#server/engines/duty.ts";
import { Rejected } from "#server/ports.ts";
import { listAnswering, orSilent } from "#server/services/ledger/ask-lapsing-nodes.ts";
import type { LapsingEngine } from "./engine.ts";

/** How often wallets are read, and for how many payments their fees should last. */
const BALANCES_EVERY_MS = 10_000;
const PAYMENTS_IN_RESERVE = 50n;

/**
 * Asks every node for its newest final block, in parallel with the payments, so that a node that falls silent is known within seconds. A
 * silent node delays no other, and is not asked again before it has answered or failed.
 */
export function lapsingHeadsDuty({ chains, ctx }: LapsingEngine): Duty {
  const asked = new Set<LapsingNode>();
  async function ask(chain: LapsingChain, node: LapsingNode): Promise<void> {
    const isOfChain = (await orSilent(node.identity())) === chain.identity;
    const head = isOfChain ? await orSilent(node.finalPoint()) : null;
    if (head === null) return;
    const lagSeconds = Math.max(0, (Date.now() - head.at.getTime()) / 1_000);
    ctx.meter.chainHead({ chain: chain.chain, node: node.name, height: head.height, lagSeconds });
  }
  return {
    name: "heads of chains whose payments lapse",
    everyMs: HEADS_EVERY_MS,
    async run() {
      for (const chain of chains) {
        for (const node of chain.nodes.filter((each) => !asked.has(each))) {
          asked.add(node);
          void ask(chain, node)
            .catch((err: unknown) => ctx.log.warn({ chain: chain.chain, node: node.name, err }, "a node does not answer as it should"))
            .finally(() => asked.delete(node));
        }
      }
      return "idle";
    },
  };
}

/** Reads what the wallets hold, keeps it for the figures and for what may be quoted, and warns of what runs low. */
export function lapsingBalancesDuty(engine: LapsingEngine, chain: LapsingChain): Duty {
  return {
    name: `balances ${chain.chain}`,
    everyMs: BALANCES_EVERY_MS,
    async run() {
      await observeWallets(engine, chain);
      return "idle";
    },
  };
}

async function observeWallets({ ctx }: LapsingEngine, chain: LapsingChain): Promise<void> {
  const wallets = (await listWallets(ctx.db)).filter((wallet) => wallet.chain === chain.chain);
  const [node] = wallets.length === 0 ? [] : await listAnswering(chain);
  const final = node === undefined ? null : await orSilent(node.finalPoint());
  if (node === undefined || final === null) return;
  const queued = await sumQueued(ctx.db, chain.chain);
  const fee = await findLargestLapsingFee(ctx.db, chain.chain);
  for (const token of chain.tokens) {
    const key = token.address === null ? null : canonicalOf(chain, token.address);
    const owed =
      queued.find(({ tokenAddress }) => (tokenAddress === null ? null : canonicalOf(chain, tokenAddress)) === key)?.owedBase ?? 0n;
    const reserve = fee !== null && fee.token === token.address ? fee.amountBase * PAYMENTS_IN_RESERVE : 0n;
    await observeToken({ ctx, chain, node, height: final.height }, { wallets, token, owed, reserve });
  }
}

/** A token that cannot be paid (a mint with a fee) has no balance here; a payment in it says why it waits. */
function asUnknown(error: unknown): null {
  if (error instanceof Rejected) return null;
  throw error;
}

type Asked = { ctx: LapsingEngine["ctx"]; chain: LapsingChain; node: LapsingNode; height: number };
type Holding = { wallets: readonly Wallet[]; token: TokenInfo; owed: bigint; reserve: bigint };

/** A token is low when all wallets together hold less than is owed; what fees are paid in, also when one wallet could not pay its next ones. */
async function observeToken({ ctx, chain, node, height }: Asked, { wallets, token, owed, reserve }: Holding): Promise<void> {
  const { chain: name } = chain;
  const held: { wallet: Wallet; amountBase: bigint }[] = [];
  for (const wallet of wallets) {
    const amountBase = await orSilent(node.balance(wallet.address, token.address, height)).catch(asUnknown);
    if (amountBase === null) return;
    held.push({ wallet, amountBase });
  }
  const together = held.reduce((sum, { amountBase }) => sum + amountBase, 0n);
  for (const { wallet, amountBase } of held) {
    const low = together < owed || amountBase < reserve;
    const units = formatDecimal({ coefficient: amountBase, scale: token.decimals });
    const seen = { amountBase, thresholdBase: owed + reserve, height, low };
    await saveWalletBalance(ctx.db, { walletId: wallet.id, currency: token.currency, ...seen });
    ctx.meter.treasuryBalance({ chain: name, wallet: wallet.address, currency: token.currency, units });
    if (low) ctx.log.warn({ chain: name, wallet: wallet.address, currency: token.currency, units }, "a treasury wallet runs low");
  }
}
