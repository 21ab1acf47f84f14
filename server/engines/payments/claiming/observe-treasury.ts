import { saveGasPrice } from "#db/queries/transfers/chain-heads.ts";
import { sumQueued } from "#db/queries/transfers/transfers.ts";
import { saveWalletBalance } from "#db/queries/transfers/wallet-balances.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { TRANSFER_GAS } from "#domain/evm-fees.ts";
import type { TokenInfo } from "#domain/token.ts";
import { inParallel } from "#server/engines/duty.ts";
import type { LeasedWallet, Pass } from "#server/engines/payments/engine.ts";
import { alignNonce } from "./align-nonce.ts";

/** For how many token transfers a wallet's native coin should last. */
const PAYMENTS_IN_RESERVE = 50n;

/** Reads what the held wallets hold, every so often, keeps it for the figures, and warns of what runs low. */
export async function observeTreasury(pass: Pass, wallets: readonly LeasedWallet[]): Promise<void> {
  const { ctx, memory, timings } = pass.engine;
  const now = ctx.clock.now().getTime();
  const readAt = memory.balancesReadAt.get(pass.chain.chain);
  if (wallets.length === 0 || (readAt !== undefined && now - readAt < timings.balanceMs)) return;
  memory.balancesReadAt.set(pass.chain.chain, now);
  // Also while nothing is owed: what somebody else spends is to be met before the next payment.
  await inParallel(wallets.map((wallet) => alignNonce(pass, wallet)));
  const queued = new Map(
    (await sumQueued(ctx.db, pass.chain.chain)).map(({ tokenAddress, owedBase }) => [tokenAddress?.toLowerCase() ?? null, owedBase]),
  );
  const { baseFeePerGas, tip } = await pass.market();
  await saveGasPrice(ctx.db, pass.chain.chain, { baseFeePerGas, tipPerGas: tip });
  const reserve = PAYMENTS_IN_RESERVE * TRANSFER_GAS * (baseFeePerGas + tip);
  await inParallel(
    pass.chain.tokens.map((token) => {
      const owed = queued.get(token.address?.toLowerCase() ?? null) ?? 0n;
      return observeToken(pass, wallets, token, token.address === null ? owed + reserve : owed);
    }),
  );
}

/** A token is low when all wallets together hold less than is owed; the native coin, when one wallet could not pay its next fees. */
async function observeToken(pass: Pass, wallets: readonly LeasedWallet[], token: TokenInfo, needed: bigint): Promise<void> {
  const { ctx } = pass.engine;
  const chain = pass.chain.chain;
  const held = await inParallel(
    wallets.map(async (wallet) => {
      return { wallet, amountBase: await pass.node.balance(wallet.row.address, token.address, pass.cursorHeight) };
    }),
  );
  const together = held.reduce((sum, { amountBase }) => sum + amountBase, 0n);
  for (const { wallet, amountBase } of held) {
    const low = (token.address === null ? amountBase : together) < needed;
    const units = formatDecimal({ coefficient: amountBase, scale: token.decimals });
    const seen = { amountBase, thresholdBase: needed, height: pass.cursorHeight, low };
    await saveWalletBalance(ctx.db, { walletId: wallet.row.id, currency: token.currency, ...seen });
    ctx.meter.treasuryBalance({ chain, wallet: wallet.row.address, currency: token.currency, units });
    if (low) ctx.log.warn({ chain, wallet: wallet.row.address, currency: token.currency, units }, "a treasury wallet runs low");
  }
}
