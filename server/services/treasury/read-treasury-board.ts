import { type Coin, sumFeesSince } from "#db/queries/ledger/network-fees.ts";
import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { countSafesOf } from "#db/queries/safes/safe-owners.ts";
import type { ChainHead } from "#db/queries/transfers/chain-heads.ts";
import { type InFlight, sumInFlight, sumLapsingInFlight } from "#db/queries/transfers/in-flight.ts";
import { sumQueued } from "#db/queries/transfers/transfers.ts";
import { listGaps, listNonceEntries, type NonceEntry } from "#db/queries/transfers/treasury-nonces.ts";
import { sumTreasuryUse } from "#db/queries/transfers/treasury-use.ts";
import type { TreasuryBalance } from "#db/queries/transfers/wallet-balances.ts";
import { listWallets, type Wallet } from "#db/queries/transfers/wallets.ts";
import { type SignerKind, WALLET_STATES, type WalletState } from "#domain/wallet.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";
import { readTreasury } from "./read-treasury.ts";

const RECENT = 5;
const GAP_REACH = 1_000;

/** `hours`: how long all active wallets of the chain last together at the pace of the last day; null: nothing was used. */
export type BoardCurrency = {
  currency: string;
  decimals: number;
  isNative: boolean;
  /** How many wallets pay it out, and how many of them run low. */
  wallets: number;
  lowWallets: number;
  usedBase: bigint;
  queuedBase: bigint;
  hours: number | null;
};
export type BoardWallet = {
  id: string;
  address: string;
  state: WalletState;
  trouble: string | null;
  signer: SignerKind | null;
  /** Whether a worker has it leased right now. */
  held: boolean;
  nextNonce: number | null;
  inFlight: InFlight;
  balances: TreasuryBalance[];
  nonces: NonceEntry[];
  /** Nonces of its sequence that belong to no transaction. */
  gaps: number[];
  /** How many of the Safes that this service deployed belong to it. */
  safes: number;
};
/** `maxFeePerGas`: undefined where fees are not paid for gas. */
export type BoardChain = {
  info: ChainInfo;
  maxFeePerGas: bigint | null | undefined;
  head: ChainHead | null;
  currencies: BoardCurrency[];
  wallets: BoardWallet[];
};

/** Those that pay come first. */
function byState(left: Wallet, right: Wallet): number {
  return WALLET_STATES.indexOf(left.state) - WALLET_STATES.indexOf(right.state);
}

/** Leases are short, and this process's clock is not the database's: a wallet that passes between workers still counts as leased. */
const HANDOVER_MS = 15_000;
const DAY_MS = 86_400_000;

/** Everything that the database knows about the treasury, by chain and wallet. It asks no node. */
export async function readTreasuryBoard(ctx: Uses<"db" | "evm" | "chains" | "clock">): Promise<BoardChain[]> {
  const coins = ctx.chains.list().flatMap(({ chain, tokens }) => tokens.map(({ currency }) => ({ chain, currency })));
  const dayAgo = new Date((await readBusinessNow(ctx.db)).getTime() - DAY_MS);
  const [{ heads, balances }, wallets, used, fees] = await Promise.all([
    readTreasury(ctx),
    listWallets(ctx.db),
    sumTreasuryUse(ctx.db),
    sumFeesSince(ctx.db, coins, dayAgo),
  ]);
  const nonces = await listNonceEntries(
    ctx.db,
    wallets.map(({ id }) => id),
    RECENT,
  );
  const now = ctx.clock.now().getTime();
  const chains = ctx.chains.list().map(async (info): Promise<BoardChain> => {
    const own = wallets.filter(({ chain }) => chain === info.chain).toSorted(byState);
    const queued = new Map(
      (await sumQueued(ctx.db, info.chain)).map(({ tokenAddress, owedBase }) => [tokenAddress?.toLowerCase() ?? null, owedBase]),
    );
    const currencies = info.tokens.map(({ currency, address, decimals }): BoardCurrency => {
      const held = balances.filter((one) => one.chain === info.chain && one.currency === currency && one.state === "active");
      const isThis = (one: Coin) => one.chain === info.chain && one.currency === currency;
      const usedBase = (used.find(isThis)?.usedBase ?? 0n) + (fees.find(isThis)?.feeBase ?? 0n);
      const together = held.reduce((sum, { amountBase }) => sum + amountBase, 0n);
      const queuedBase = queued.get(address?.toLowerCase() ?? null) ?? 0n;
      const hours = usedBase <= 0n || held.length === 0 ? null : Number((together * 240n) / usedBase) / 10;
      const lowWallets = held.filter(({ low }) => low).length;
      return { currency, decimals, isNative: address === null, wallets: held.length, lowWallets, usedBase, queuedBase, hours };
    });
    const boards = own.map(async (wallet): Promise<BoardWallet> => {
      const { id, address, state, trouble, signer, nextNonce } = wallet;
      // Where payments lapse no worker leases a wallet: all that look at the chain use it.
      const usedAt = ctx.evm.find(info.chain) === null ? heads.find(({ chain }) => chain === info.chain)?.checkedAt : wallet.leaseUntil;
      const shown = balances.filter(({ walletId }) => walletId === id);
      const height = shown.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...shown.map((balance) => balance.height));
      return {
        id,
        address,
        state,
        trouble,
        signer,
        nextNonce,
        held: (usedAt?.getTime() ?? 0) > now - HANDOVER_MS,
        inFlight: await (ctx.evm.find(info.chain) === null ? sumLapsingInFlight(ctx.db, wallet, height) : sumInFlight(ctx.db, id, height)),
        balances: shown,
        nonces: nonces.filter(({ walletId }) => walletId === id),
        gaps: await listGaps(ctx.db, id, GAP_REACH),
        safes: await countSafesOf(ctx.db, { chain: wallet.chain, owner: address }),
      };
    });
    return {
      info,
      maxFeePerGas: ctx.evm.find(info.chain)?.maxFeePerGas,
      head: heads.find(({ chain }) => chain === info.chain) ?? null,
      currencies,
      wallets: await Promise.all(boards),
    };
  });
  return await Promise.all(chains);
}
