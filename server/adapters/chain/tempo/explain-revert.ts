import { decodeErrorResult, type Hex } from "viem";
import { Abis } from "viem/tempo";

/** Why a token did not move. `refused`: it will never move to that recipient. `treasury`: the sender's trouble, or the token's, which may end. */
export type TempoRevert = { outcome: "refused" | "treasury" | "policy"; reason: string };

const REASONS: Record<string, TempoRevert> = {
  InvalidRecipient: { outcome: "refused", reason: "The token refuses the recipient: the funds would be lost." },
  PolicyForbids: { outcome: "policy", reason: "The token's policy refuses the recipient." },
  InsufficientBalance: { outcome: "treasury", reason: "The treasury wallet holds too little of the token." },
  ContractPaused: { outcome: "treasury", reason: "The token is paused." },
};

/** What a revert of a token says in plain words. */
export function explainRevert(data: unknown): TempoRevert {
  const name = nameOf(data);
  return REASONS[name ?? ""] ?? { outcome: "treasury", reason: `The token does not move (${name ?? "no reason"}).` };
}

function nameOf(data: unknown): string | null {
  if (typeof data !== "string" || !/^0x[0-9a-f]{8}/i.test(data)) return null;
  try {
    return decodeErrorResult({ abi: Abis.tip20, data: data as Hex }).errorName;
  } catch {
    return null;
  }
}
