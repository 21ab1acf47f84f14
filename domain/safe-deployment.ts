import { SAFE_CONTRACTS, type SafeVersion } from "./safe.ts";

/** A Safe, one of the contracts that Safes need, or the replacement of a Safe's owner. */
export const SAFE_DEPLOYMENT_KINDS = ["safe", ...SAFE_CONTRACTS, "owner_swap"] as const;
export type SafeDeploymentKind = (typeof SAFE_DEPLOYMENT_KINDS)[number];

/**
 * `asked`: the exact transaction is not known yet. `owed`: its transfer is with the transfer engine. `made`: that is final, and the code on
 * the chain must be verified. `deployed` and `failed` are ends.
 */
export const SAFE_DEPLOYMENT_STATES = ["asked", "owed", "made", "deployed", "failed"] as const;
export type SafeDeploymentState = (typeof SAFE_DEPLOYMENT_STATES)[number];

/** A requested contract and its progress. Its transfer has the purpose `deployment` and this id as its owner. */
export type SafeDeployment = {
  id: string;
  kind: SafeDeploymentKind;
  chain: string;
  version: SafeVersion;
  /** Requested by the service itself for all Safes of the chain; it is deployed at its canonical address. */
  shared: boolean;
  /**
   * Of a Safe; null while the worker has not chosen the service's own wallet. Of a swap: the owner that is replaced, and once it is
   * enqueued the new one. Null for other contracts, like the next two.
   */
  owners: string[] | null;
  threshold: number | null;
  /** Hexadecimal. Decides, with the owners, where the Safe will be. */
  saltNonce: string | null;
  /** Whose Safe it is, when it is a member's. */
  memberId: string | null;
  partnerId: string | null;
  state: SafeDeploymentState;
  /** Its future or present address; null while unknown. Of a swap: the Safe's. */
  address: string | null;
  waitingReason: string | null;
  failureReason: string | null;
  /** The `traceparent` of its request; null: it was not traced. */
  trace: string | null;
  createdAt: Date;
  updatedAt: Date;
};

/** The life of a deployment as one table. */
export const SAFE_DEPLOYMENT_LIFECYCLE = {
  owe: { from: ["asked"], to: "owed" },
  make: { from: ["owed"], to: "made" },
  deploy: { from: ["made"], to: "deployed" },
  fail: { from: ["asked", "owed", "made"], to: "failed" },
} as const satisfies Record<string, { from: readonly SafeDeploymentState[]; to: SafeDeploymentState }>;

export type SafeDeploymentAction =
  | { type: "owe"; owners: string[] | null; address: string | null }
  /** `reason`: why its transfer failed; somebody else may still have deployed the contract. */
  | { type: "make"; address: string; reason: string | null }
  | { type: "deploy" }
  | { type: "fail"; reason: string };

/** Whether the table allows the action in such a state. */
export function allowsDeployment(state: SafeDeploymentState, action: SafeDeploymentAction["type"]): boolean {
  const from: readonly SafeDeploymentState[] = SAFE_DEPLOYMENT_LIFECYCLE[action].from;
  return from.includes(state);
}

/** The deployment after `action` at the instant `now` (business time). @throws Error where the table has no such row: a defect. */
export function advanceDeployment(deployment: SafeDeployment, action: SafeDeploymentAction, now: Date): SafeDeployment {
  if (!allowsDeployment(deployment.state, action.type)) throw new Error(`a deployment that is ${deployment.state} cannot ${action.type}`);
  const moved = { ...deployment, state: SAFE_DEPLOYMENT_LIFECYCLE[action.type].to, waitingReason: null, updatedAt: now };
  switch (action.type) {
    case "owe":
      return { ...moved, owners: action.owners, address: action.address };
    case "make":
      return { ...moved, address: action.address, failureReason: action.reason };
    case "deploy":
      return { ...moved, failureReason: null };
    case "fail":
      return { ...moved, failureReason: action.reason };
  }
}

/** The transaction that carries a deployment, as it was signed (contract, part 6), and the address of what it creates. */
export type EthTx = {
  txHash: string;
  contractAddress: string;
  from: string;
  /** null: the transaction itself is the creation. */
  to: string | null;
  data: string;
  valueBase: bigint;
  gas: bigint;
  nonce: number;
  chainId: number;
};
