import { type Address, createPublicClient, createWalletClient, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { allowanceCall } from "#domain/packed-transfers.ts";
import { PACKING_CONTRACT } from "#server/adapters/chain/evm/packing/packing-contract.ts";
import { developmentChain } from "./development-chain.ts";
import { callNode } from "./rpc.ts";
import { deploy, type TestTokens } from "./tokens.ts";

/** Makes sure that the packing contract is on the node, and answers its address: the same on every node. */
export function deployPackingContract(rpcUrl: string): Promise<Address> {
  return deploy(rpcUrl, PACKING_CONTRACT.creationCode as Hex);
}

/**
 * Lets the packing contract move a new wallet's tokens for it, so that the sandbox packs from its first payments on. A wallet that has sent
 * anything is left alone: the worker counts its nonces, and sends the permission itself.
 */
export async function allowPacking(rpcUrl: string, tokens: TestTokens, key: Hex): Promise<void> {
  const contract = await deployPackingContract(rpcUrl);
  const [transport, account] = [http(rpcUrl), privateKeyToAccount(key)];
  const node = createPublicClient({ chain: developmentChain, transport, pollingInterval: 50, cacheTime: 0 });
  if ((await node.getTransactionCount({ address: account.address })) > 0) return;
  const wallet = createWalletClient({ chain: developmentChain, transport, account });
  for (const token of Object.values(tokens)) {
    const hash = await wallet.sendTransaction({ to: token, data: allowanceCall({ contract, token }).data as Hex });
    await callNode(rpcUrl, "evm_mine"); // not to wait for the next block
    await node.waitForTransactionReceipt({ hash, timeout: 30_000 });
  }
}
