import { setTimeout as sleep } from "node:timers/promises";
import {
  type Address,
  concat,
  createPublicClient,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  http,
  keccak256,
  parseAbi,
  parseEther,
  toHex,
  zeroHash,
} from "viem";
import { type HDAccount, mnemonicToAccount } from "viem/accounts";
import { bytecodeOf } from "./compile.ts";
import { developmentChain } from "./development-chain.ts";
import { callNode } from "./rpc.ts";

/**
 * FOR THE SANDBOX ONLY. The accounts that every development node publishes and funds: they own the test tokens and are the faucet. Anybody
 * can take what they hold on another chain.
 */
const PUBLISHED_MNEMONIC = "test test test test test test test test test test test junk";
/** The same contract at the same address on every development node (CREATE2); the node brings this deployer with it. */
const DEPLOYER: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
/** A wallet to which the test tokens refuse to move, from the start. Nobody has its key. */
export const BLOCKED_WALLET: Address = getAddress(`0x${keccak256(toHex("blocklisted in the sandbox")).slice(26)}`);

export const testTokenAbi = parseAbi([
  "constructor(string name, string symbol, address owner, address blockedFromTheStart)",
  "function mint(address wallet, uint256 amount)",
  "function pause()",
  "function unpause()",
  "function blockWallet(address wallet)",
  "function unblockWallet(address wallet)",
  "function isBlocked(address wallet) view returns (bool)",
  "function balanceOf(address wallet) view returns (uint256)",
  "function transfer(address to, uint256 amount) returns (bool)",
  "function decimals() view returns (uint8)",
]);

export type TestTokens = { USDT: Address; USDC: Address };

let owner: HDAccount | null = null;

/** The account that owns the test tokens: mints, pauses and blocks. Derived once, which takes some 30 ms. FOR THE SANDBOX ONLY. */
export function tokenOwner(): HDAccount {
  owner ??= mnemonicToAccount(PUBLISHED_MNEMONIC, { addressIndex: 0 });
  return owner;
}

function connect(rpcUrl: string) {
  const transport = http(rpcUrl);
  const owner = tokenOwner();
  return {
    owner,
    node: createPublicClient({ chain: developmentChain, transport, pollingInterval: 50, cacheTime: 0 }),
    wallet: createWalletClient({ chain: developmentChain, transport, account: owner }),
  };
}

/** Makes sure that USDT and USDC exist on the node, and answers their addresses: the same on every node. */
export async function deployTestTokens(rpcUrl: string): Promise<TestTokens> {
  const USDT = await deployToken(rpcUrl, "Test Tether USD", "USDT");
  const USDC = await deployToken(rpcUrl, "Test USD Coin", "USDC");
  return { USDT, USDC };
}

async function deployToken(rpcUrl: string, name: string, symbol: string): Promise<Address> {
  const { owner } = connect(rpcUrl);
  const args = [name, symbol, owner.address, BLOCKED_WALLET] as const;
  return await deploy(rpcUrl, encodeDeployData({ abi: testTokenAbi, bytecode: bytecodeOf("TestToken.sol", "TestToken"), args }));
}

/** Deploys a contract at the same address on every node, unless it is there already. Another `salt` gives another address. */
export async function deploy(rpcUrl: string, creation: Hex, salt: Hex = zeroHash): Promise<Address> {
  const { node } = connect(rpcUrl);
  const address = getContractAddress({ opcode: "CREATE2", from: DEPLOYER, salt, bytecode: creation });
  const exists = async () => ((await node.getCode({ address })) ?? "0x") !== "0x";
  if (await exists()) return address;
  if (!(await node.getCode({ address: DEPLOYER }))) throw new Error(`the node has no deployer at ${DEPLOYER}: use anvil`);
  await sendAsOwner(rpcUrl, { to: DEPLOYER, data: concat([salt, creation]) });
  if (!(await exists())) throw new Error(`nothing was deployed at ${address}`);
  return address;
}

/** Ether, and whole units of test tokens: one number for all, or one each. */
export type Holding = { ether: number; tokens: number | Readonly<Record<keyof TestTokens, number>> };

/** Tops up to these balances what a wallet holds less than `share` of, a number up to 1. */
export async function fundWallet(rpcUrl: string, tokens: TestTokens, wallet: Address, holding: Holding, share = 1): Promise<void> {
  const { node } = connect(rpcUrl);
  const missing = (whole: bigint, balance: bigint) => (balance * 100n < whole * BigInt(Math.round(share * 100)) ? whole - balance : 0n);
  const ether = missing(parseEther(String(holding.ether)), await node.getBalance({ address: wallet }));
  if (ether > 0n) await sendAsOwner(rpcUrl, { to: wallet, value: ether });
  for (const currency of ["USDT", "USDC"] as const) {
    const address = tokens[currency];
    const whole = BigInt(typeof holding.tokens === "number" ? holding.tokens : holding.tokens[currency]) * 1_000_000n;
    const amount = missing(whole, await node.readContract({ abi: testTokenAbi, address, functionName: "balanceOf", args: [wallet] }));
    if (amount > 0n) await mint(rpcUrl, address, wallet, amount);
  }
}

async function mint(rpcUrl: string, token: Address, wallet: Address, amountBase: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: "mint", args: [wallet, amountBase] });
  await sendAsOwner(rpcUrl, { to: token, data });
}

/** Stops or resumes all transfers of a test token. */
export async function pauseToken(rpcUrl: string, token: Address, paused: boolean): Promise<void> {
  const data = encodeFunctionData({ abi: testTokenAbi, functionName: paused ? "pause" : "unpause" });
  await sendAsOwner(rpcUrl, { to: token, data });
}

/** Several sandboxes may share one node, and with it this account: a nonce that was used meanwhile is harmless. */
export async function sendAsOwner(rpcUrl: string, transaction: { to: Address; data?: Hex; value?: bigint }): Promise<void> {
  const { node, wallet } = connect(rpcUrl);
  for (let tries = 1; ; tries++) {
    try {
      const hash = await wallet.sendTransaction(transaction);
      await callNode(rpcUrl, "evm_mine"); // not to wait for the next block
      const receipt = await node.waitForTransactionReceipt({ hash, timeout: 30_000 });
      if (receipt.status !== "success") throw new Error(`the sandbox's own transaction ${hash} was reverted`);
      return;
    } catch (error) {
      if (tries === 5 || !/nonce|underpriced|replacement/i.test(String(error))) throw error;
      await sleep(200 * tries);
    }
  }
}
