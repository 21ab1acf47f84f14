import { parseChainId, TRON_DOUBLE } from "#domain/chain-id.ts";
import type { ChainInfo } from "#domain/chain-info.ts";
import type { LapsingChain } from "#domain/lapsing-chain.ts";
import { checkSigned } from "./check-signed.ts";
import { type TronNodeOptions, tronNode } from "./node.ts";

/** A Tron network as the settings describe it. `isLive`: it pays with other people's money. */
export type TronSettings = {
  info: ChainInfo;
  /** At least one; the first is asked first. */
  rpcUrls: readonly string[];
  twoNodesFrom: (currency: string) => bigint;
  isLive: boolean;
};

/** Opens a Tron network. Nothing is asked before its first use. @throws Error for the sandbox's double in live mode */
export function openTronChain({ info, rpcUrls, twoNodesFrom, isLive }: TronSettings, options: TronNodeOptions = {}): LapsingChain {
  const chain = parseChainId(info.chain);
  if (chain?.namespace !== "tron") throw new Error(`${info.chain} is no Tron network`);
  if (isLive && info.chain === TRON_DOUBLE)
    throw new Error(`${info.chain} is the sandbox's double of a Tron network: live mode never pays there`);
  return {
    ...info,
    family: "tron",
    identity: chain.reference,
    nodes: rpcUrls.map((url) => tronNode(url, options)),
    twoNodesFrom,
    checkSigned,
  };
}
