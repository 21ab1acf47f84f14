import { listWalletAddresses } from "#db/queries/transfers/wallets.ts";
import { Refusal } from "#domain/refusal.ts";
import { checkWalletAddress } from "#domain/wallet-address.ts";
import type { Uses } from "#server/context.ts";
import type { ChainInfo } from "#server/ports.ts";

/** The chain of that name; null: the installation's first. @throws Refusal `unsupported_chain` */
export function findChain(ctx: Uses<"chains">, wanted: string | null): ChainInfo {
  const chain = wanted === null ? ctx.chains.list()[0] : ctx.chains.find(wanted);
  if (chain) return chain;
  const message = "This chain is not one of this service.";
  throw new Refusal("unsupported_chain", { detail: message, errors: [{ pointer: "/chain", code: "unsupported_chain", message }] });
}

/** Whether a member may have this wallet. @throws Refusal `invalid_wallet_address` */
export async function admitWallet(ctx: Uses<"db">, { chain, tokens }: ChainInfo, address: string): Promise<void> {
  const contracts = tokens.flatMap((token) => (token.address === null ? [] : [token.address]));
  checkWalletAddress({ chain, address, refused: [...contracts, ...(await listWalletAddresses(ctx.db, chain))] });
}
