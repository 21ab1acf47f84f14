import type { EvmLog } from "./evm-intent.ts";

/** The releases of the Safe contracts that this service deploys. */
export const SAFE_VERSIONS = ["1.3.0", "1.4.1"] as const;
export type SafeVersion = (typeof SAFE_VERSIONS)[number];

/** The contracts that a Safe needs: its logic, its factory, and its fallback handler. One of each serves all Safes of a chain. */
export const SAFE_CONTRACTS = ["master_copy", "proxy_factory", "fallback_handler"] as const;
export type SafeContract = (typeof SAFE_CONTRACTS)[number];

/** The Safe's own end marks of its lists; no owner can be one of them. */
export const SENTINEL_ADDRESS = "0x0000000000000000000000000000000000000001";

/** A Safe as it is on the chain (contract, part 6). Addresses in their EIP-55 form; the zero address where there is none. */
export type SafeInfo = {
  address: string;
  fallbackHandler: string;
  guard: string;
  masterCopy: string;
  modules: readonly string[];
  /** How many transactions it has carried out. */
  nonce: number;
  owners: readonly string[];
  threshold: number;
  version: string;
};

/** `ExecutionSuccess(bytes32,uint256)` and `ExecutionFailure(bytes32,uint256)`: the same name and topic in both releases. */
const SUCCESS_TOPIC = "0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e";
const FAILURE_TOPIC = "0x23428b18acfb3ea64b08dc0c1d296ea9c09702c09083ca5272e64d115b687d23";

/**
 * The Safe's own event about the one transaction that it was to execute: 1.4.1 puts the Safe transaction's hash among the topics, 1.3.0
 * into the data. Null when there is no such event, or more than one.
 */
export function readExecution(logs: readonly EvmLog[], safe: string): { outcome: "success" | "failure"; safeTxHash: string } | null {
  const said = logs.flatMap((log) => {
    if (log.address.toLowerCase() !== safe.toLowerCase()) return [];
    const topic = log.topics[0]?.toLowerCase();
    if (topic !== SUCCESS_TOPIC && topic !== FAILURE_TOPIC) return [];
    const safeTxHash = hashIn(log);
    return safeTxHash === null ? [] : [{ outcome: topic === SUCCESS_TOPIC ? ("success" as const) : ("failure" as const), safeTxHash }];
  });
  return said.length === 1 ? (said[0] ?? null) : null;
}

function hashIn({ topics, data }: EvmLog): string | null {
  const words = data.length - 2;
  const indexed = topics[1];
  if (topics.length === 2 && indexed !== undefined && words === 64) return indexed.toLowerCase();
  return topics.length === 1 && words === 128 ? data.slice(0, 66).toLowerCase() : null;
}

/** Whether this address alone may move the Safe's funds: it is an owner, and the threshold is one. */
export function isControlledBy(safe: Pick<SafeInfo, "owners" | "threshold">, address: string): boolean {
  return safe.threshold === 1 && safe.owners.some((owner) => owner.toLowerCase() === address.toLowerCase());
}

/** Whether two lists name the same addresses, in any order and any case of letters. */
export function areSameAddresses(left: readonly string[], right: readonly string[]): boolean {
  const sorted = (addresses: readonly string[]) => addresses.map((address) => address.toLowerCase()).sort();
  return sorted(left).join() === sorted(right).join();
}

/** What a Safe carries out on an owner's signature: its own nonce is in what is signed, so that it happens once. */
export type SafeTransaction = { chainId: number; safe: string; nonce: number; to: string; data: string };

export type CanonicalCode = { version: SafeVersion; contract: SafeContract | "proxy" };
export type SafePlan = Record<SafeContract, string> & {
  version: SafeVersion;
  owners: readonly string[];
  threshold: number;
  saltNonce: bigint;
};
