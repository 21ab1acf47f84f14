import { assignPartnerWallets } from "#sandbox/seed/partner-wallets.ts";
import { deploySafeContracts, ensureSafe } from "./safes.ts";
import { fundWallet, type TestTokens } from "./tokens.ts";

/** Whole tokens of each kind that a partner's Safe holds at the beginning. */
const FUNDS = { ether: 0, tokens: 1_000_000 };

export type PartnerSafes = {
  rpcUrl: string;
  databaseUrl: string;
  tokens: TestTokens;
  /** The wallet that the Safes obey. */
  treasury: string;
  partnerIds: readonly string[];
};

/** Sees to it that each partner has a funded Safe of its own, which obeys the treasury. The same at every start. */
export async function preparePartnerSafes({ rpcUrl, databaseUrl, tokens, treasury, partnerIds }: PartnerSafes): Promise<void> {
  await deploySafeContracts(rpcUrl);
  const wallets: { partnerId: string; walletAddress: string }[] = [];
  for (const partnerId of partnerIds) {
    const saltNonce = BigInt(`0x${partnerId.replaceAll("-", "")}`);
    const walletAddress = await ensureSafe(rpcUrl, { version: "1.4.1", owners: [treasury], threshold: 1, saltNonce });
    await fundWallet(rpcUrl, tokens, walletAddress, FUNDS);
    wallets.push({ partnerId, walletAddress });
  }
  await assignPartnerWallets(databaseUrl, wallets);
}
