import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import { isRefusal, Refusal } from "#domain/refusal.ts";
import { checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";

/**
 * A partner's wallet names no chain: it must be an address on one of ours.
 *
 * @throws Refusal `invalid_wallet_address`, `unsupported_chain` where there is no chain at all.
 */
export async function checkPartnerWallet(ctx: Uses<"db" | "chains">, address: string): Promise<void> {
  let refusal = new Refusal("unsupported_chain");
  for (const { chain, tokens } of ctx.chains.list()) {
    const contracts = tokens.flatMap((token) => (token.address === null ? [] : [token.address]));
    try {
      checkWalletAddress({ chain, address, refused: [...contracts, ...(await listWalletAddresses(ctx.db, chain))] });
      return;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
