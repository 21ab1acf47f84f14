import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Address } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { readOrMakeKey } from "#server/adapters/signer/key-file.ts";
import { Trouble } from "#server/process/trouble.ts";
import { CHAIN_ID } from "./anvil.ts";
import { allowPacking, deployPackingContract } from "./packing.ts";
import { callNode } from "./rpc.ts";
import { deployTestTokens, fundWallet, type Holding, type TestTokens } from "./tokens.ts";

type TreasuryWallet = { address: Address; keyFile: string };
/** `treasury` pays, and owns the Safes; `lowWallet` exists only with a history. */
export type PreparedChain = { tokens: TestTokens; treasury: TreasuryWallet; lowWallet: TreasuryWallet | null };

const TREASURY: Holding = { ether: 100, tokens: 1_000_000_000 };
/** A later start adds nothing to a wallet that has this much of it left: nobody declares such a deposit, so it would be in suspense. */
const LEFT = 0.5;
/** Not the network's fee of one payment, little of one token and some of the other: as a wallet that nobody has topped up for weeks. */
const LOW: Holding = { ether: 0.00002, tokens: { USDT: 40, USDC: 18_500 } };

const Genesis = z.object({ hash: z.string().regex(/^0x[0-9a-f]{64}$/) });

/** Refuses a node that is not a development node: everything here is for play money. */
export async function checkDevelopmentNode(url: string): Promise<void> {
  const answer = await callNode(url, "eth_chainId").catch((error: unknown) => {
    throw new Trouble(
      `No development node answers at CHAIN_RPC_URL (${error instanceof Error ? error.message : error}): start one there, or leave CHAIN_RPC_URL unset.`,
    );
  });
  if (Number(answer) !== CHAIN_ID)
    throw new Trouble(`The node at CHAIN_RPC_URL has chain id ${Number(answer)}; the sandbox takes a development node, with ${CHAIN_ID}.`);
}

/**
 * Test tokens, the packing contract and a funded treasury. Its wallets' keys are generated, and belong to this chain: if the node starts afresh, so do they, so
 * that both sides agree on their nonces.
 *
 * @param hasHistory whether a wallet that runs low is part of it; once it is, it stays so at every later start
 * @param isFirst whether no worker has ever used these wallets
 */
export async function prepareChain(
  url: string,
  directory: string,
  { hasHistory, isFirst }: { hasHistory: boolean; isFirst: boolean },
): Promise<PreparedChain> {
  const genesis = Genesis.parse(await callNode(url, "eth_getBlockByNumber", ["0x0", false]));
  const tokens = await deployTestTokens(url);
  const keyOf = (name: string) => join(directory, `${name}-${genesis.hash.slice(2, 10)}.key`);
  const wallet = async (keyFile: string, holding: Holding): Promise<TreasuryWallet> => {
    const address = privateKeyToAddress(await readOrMakeKey(keyFile));
    await fundWallet(url, tokens, address, holding, LEFT);
    return { address, keyFile };
  };
  const lowKey = keyOf("low-wallet");
  const treasury = await wallet(keyOf("treasury"), TREASURY);
  await deployPackingContract(url);
  if (isFirst) await allowPacking(url, tokens, await readOrMakeKey(treasury.keyFile));
  return { tokens, treasury, lowWallet: hasHistory || existsSync(lowKey) ? await wallet(lowKey, LOW) : null };
}
