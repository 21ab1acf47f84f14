import { type Address, getAddress, type Hex } from "viem";
import { SAFE_CONTRACTS, SAFE_VERSIONS, type SafeContract, type SafeVersion } from "#domain/safe.ts";
import type { TransferCall } from "#domain/transfer.ts";
import { assignPartnerWallets } from "#sandbox/seed/partner-wallets.ts";
import { safeContracts } from "#server/adapters/chain/evm/safe/safe-contracts.ts";
import { callNode } from "./rpc.ts";
import { fundWallet, sendAsOwner, type TestTokens } from "./tokens.ts";

/** Deploys the Safe contracts of every release on the node where missing, at the canonical addresses for which it has a deployer. */
export async function deploySafeContracts(rpcUrl: string): Promise<void> {
  for (const version of SAFE_VERSIONS) for (const contract of SAFE_CONTRACTS) await deployAtHome(rpcUrl, contract, version);
}

async function deployAtHome(rpcUrl: string, contract: SafeContract, version: SafeVersion): Promise<void> {
  const home = await homeOn(rpcUrl, contract, version);
  if (!(await hasCode(rpcUrl, home.address))) await send(rpcUrl, await safeContracts.deploy(contract, version, home.deployer));
}

/** Makes sure that a Safe of those owners exists on the node, and answers its address. The same wish leads to the same Safe. */
export async function ensureSafe(
  rpcUrl: string,
  wish: { version: SafeVersion; owners: readonly string[]; threshold: number; saltNonce: bigint },
): Promise<Address> {
  const [masterCopy, factory, handler] = await Promise.all(SAFE_CONTRACTS.map((contract) => homeOn(rpcUrl, contract, wish.version)));
  if (!masterCopy || !factory || !handler) throw new Error("a Safe needs three contracts");
  const contracts = { master_copy: masterCopy.address, proxy_factory: factory.address, fallback_handler: handler.address };
  const { call, address } = await safeContracts.createSafe({ ...contracts, ...wish });
  if (!(await hasCode(rpcUrl, address))) await send(rpcUrl, call);
  return getAddress(address);
}

async function homeOn(rpcUrl: string, contract: SafeContract, version: SafeVersion): Promise<{ deployer: string; address: string }> {
  for (const home of safeContracts.homes(contract, version)) if (await hasCode(rpcUrl, home.deployer)) return home;
  throw new Error("the node has none of the well-known deployers: use anvil");
}

async function hasCode(rpcUrl: string, address: string): Promise<boolean> {
  return (await callNode(rpcUrl, "eth_getCode", [address, "latest"])) !== "0x";
}

async function send(rpcUrl: string, { to, data }: TransferCall): Promise<void> {
  if (to === null) throw new Error("the sandbox deploys through the deployer");
  const bytes: Hex = `0x${data.slice(2)}`;
  await sendAsOwner(rpcUrl, { to: getAddress(to), data: bytes });
}

/** The initial balance of a partner's Safe, in whole tokens of each kind. */
const FUNDS = { ether: 0, tokens: 1_000_000 };

export type PartnerSafes = {
  rpcUrl: string;
  databaseUrl: string;
  tokens: TestTokens;
  /** The wallet that the Safes obey. */
  treasury: string;
  partnerIds: readonly string[];
};

/** Gives each partner a funded Safe that the treasury owns. The same at every start. */
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
