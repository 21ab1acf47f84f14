import { type Address, concat, createPublicClient, createWalletClient, defineChain, type Hex, http, zeroHash } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { isPackingContract, PACKING_CONTRACT } from "./packing-contract.ts";

/** It is on nearly every chain, and puts the same code at the same address, no matter who pays for that. */
const DEPLOYER: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

export type PackingState = "there" | "missing" | "other code";

/** What is at the packing contract's address on the chain of a node. */
export async function findPackingContract(rpcUrl: string): Promise<PackingState> {
  const code = await createPublicClient({ transport: http(rpcUrl) }).getCode({ address: PACKING_CONTRACT.address as Address });
  if (code === undefined || code === "0x") return "missing";
  return isPackingContract(code) ? "there" : "other code";
}

/**
 * Deploys the packing contract on the chain of a node, unless it is there. `key`: of any account with some coins. It gets no power over the
 * contract.
 *
 * @returns the transaction's hash; null: it was there
 * @throws Error where the chain has no deployer, or other code is at the address
 */
export async function deployPackingContract(rpcUrl: string, key: Hex): Promise<Hex | null> {
  const state = await findPackingContract(rpcUrl);
  if (state === "there") return null;
  if (state === "other code") throw new Error(`Other code is at ${PACKING_CONTRACT.address} on this chain: do not turn packing on.`);
  const node = createPublicClient({ transport: http(rpcUrl) });
  if (!(await node.getCode({ address: DEPLOYER }))) throw new Error(`This chain has no deployer at ${DEPLOYER}: payments go one by one.`);
  const nativeCurrency = { name: "coin", symbol: "COIN", decimals: 18 };
  const chain = defineChain({ id: await node.getChainId(), name: "chain", nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } });
  const wallet = createWalletClient({ chain, transport: http(rpcUrl), account: privateKeyToAccount(key) });
  const hash = await wallet.sendTransaction({ to: DEPLOYER, data: concat([zeroHash, PACKING_CONTRACT.creationCode as Hex]) });
  await node.waitForTransactionReceipt({ hash });
  if ((await findPackingContract(rpcUrl)) !== "there") throw new Error(`${hash} did not put the contract at ${PACKING_CONTRACT.address}.`);
  return hash;
}
