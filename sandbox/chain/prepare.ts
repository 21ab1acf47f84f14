import { join } from "node:path";
import type { Address } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { readOrMakeKey } from "#server/adapters/signer/key-file.ts";
import { Trouble } from "#server/process/trouble.ts";
import { CHAIN_ID } from "./anvil.ts";
import { callNode } from "./rpc.ts";
import { deployTestTokens, fundWallet, type TestTokens } from "./tokens.ts";

export type PreparedChain = { tokens: TestTokens; treasury: { address: Address; keyFile: string } };

const Genesis = z.object({ hash: z.string().regex(/^0x[0-9a-f]{64}$/) });

/** Refuses a node that is not a development node: what happens here is meant for play money. */
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
 * Test tokens and a funded treasury. The treasury's key is generated, and belongs to this chain: on a node that began anew the
 * wallet begins anew as well, so that its next nonce is right on both sides.
 */
export async function prepareChain(url: string, directory: string): Promise<PreparedChain> {
  const genesis = Genesis.parse(await callNode(url, "eth_getBlockByNumber", ["0x0", false]));
  const keyFile = join(directory, `treasury-${genesis.hash.slice(2, 10)}.key`);
  const address = privateKeyToAddress(await readOrMakeKey(keyFile));
  const tokens = await deployTestTokens(url);
  await fundWallet(url, tokens, address, { ether: 100, tokens: 1_000_000_000 });
  return { tokens, treasury: { address, keyFile } };
}
