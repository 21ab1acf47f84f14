import type { Hex } from "viem";
import { decodeErrorResult, isHex, parseAbi } from "viem/utils";
import type { RpcFault } from "#server/adapters/chain/json-rpc.ts";
import type { EvmRevert } from "#server/ports.ts";

/** What a token may say no with: Solidity's own, OpenZeppelin's, and the blocklists of the large tokens. */
const ERRORS = parseAbi([
  "error Error(string)",
  "error Panic(uint256)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error ERC20InvalidReceiver(address receiver)",
  "error ERC20InvalidSender(address sender)",
  "error EnforcedPause()",
  "error Blocked(address account)",
  "error Blocklisted(address account)",
  "error BlockListed(address account)",
  "error Blacklisted(address account)",
  "error AccountBlocked(address account)",
  "error AccountBlocklisted(address account)",
  "error ERC20Blocked(address account)",
  "error ERC20Blocklisted(address account)",
  "error UserBlocked(address account)",
  "error RecipientBlocked(address account)",
  "error AccountFrozen(address account)",
  "error OwnableUnauthorizedAccount(address account)",
]);

/** Why a call was reverted. `treasury`: the trouble is the sender's or the whole token's, not the payment's. `blocked`: by a blocklist. */
export type Revert = EvmRevert & { blocked: boolean };

export const TREASURY_BLOCKED = "The token's blocklist refuses the treasury's wallet.";

export const PAUSED: Revert = { reason: "The token's issuer has paused all transfers.", treasury: true, blocked: false };
const TOO_LITTLE: Revert = { reason: "The treasury holds too little of the token.", treasury: true, blocked: false };
const BLOCKED_NAME = /bl(ack|ock)(ed|list)|frozen/i;
const BLOCKED_WORDS = /black ?list|block ?list|blocked|frozen|denied|sanction/i;

/** The revert in plain words (contract, part 2: `failure_reason` is read by partners). */
export function explainRevert(fault: RpcFault, sender: string): Revert {
  const data = revertData(fault.data);
  if (data === null || data === "0x") return explainWords(fault.message.replace(/^.*?execution reverted:?\s*/i, ""), sender);
  try {
    const error = decodeErrorResult({ abi: ERRORS, data });
    return explainError(error.errorName, error.args ?? [], sender);
  } catch {
    return refused(`The token's contract refused the transfer (error ${data.slice(0, 10)}).`);
  }
}

function explainError(name: string, args: readonly unknown[], sender: string): Revert {
  const [first] = args;
  if (name === "Error" && typeof first === "string") return explainWords(first, sender);
  if (name === "ERC20InsufficientBalance") return TOO_LITTLE;
  if (BLOCKED_NAME.test(name)) return blocked(typeof first === "string" && first.toLowerCase() === sender.toLowerCase());
  if (name === "EnforcedPause") return PAUSED;
  if (name === "ERC20InvalidReceiver") return refused("The token does not accept this recipient.");
  if (name === "Panic") return refused("The token's contract failed while moving the funds.");
  return refused(`The token's contract refused the transfer (${name}).`);
}

/** The contract's own reason for the revert: `Error(string)`, or else the node's message; empty when there is none. */
export function revertWords(fault: RpcFault): string {
  const data = revertData(fault.data);
  try {
    const error = data === null || data === "0x" ? null : decodeErrorResult({ abi: ERRORS, data });
    const [first] = error?.args ?? [];
    if (error) return error.errorName === "Error" && typeof first === "string" ? printable(first) : error.errorName;
  } catch {
    return `error ${data?.slice(0, 10)}`;
  }
  return printable(fault.message.replace(/^.*?(execution reverted|vm execution error|revert):?\s*/i, "")).replace(/^0x$/, "");
}

/** Contracts' own sentences: quoted, never trusted to be short or printable. */
function printable(words: string): string {
  return words
    .replace(/[^\x20-\x7e]/g, " ")
    .trim()
    .slice(0, 200);
}

function explainWords(words: string, sender: string): Revert {
  const said = printable(words);
  if (/exceeds balance|insufficient balance/i.test(said)) return TOO_LITTLE;
  if (BLOCKED_WORDS.test(said)) return blocked(said.toLowerCase().includes(sender.toLowerCase()));
  if (/paused/i.test(said)) return PAUSED;
  if (said === "" || /^0x|execution reverted|vm execution/i.test(said))
    return refused("The token's contract refused the transfer without a reason.");
  return refused(`The token's contract refused the transfer: "${said}".`);
}

function refused(reason: string): Revert {
  return { reason, treasury: false, blocked: false };
}

function blocked(treasury: boolean): Revert {
  return { reason: treasury ? TREASURY_BLOCKED : "The token's blocklist refuses this recipient.", treasury, blocked: true };
}

/** Nodes put the revert's bytes in different places. */
function revertData(data: unknown): Hex | null {
  if (typeof data === "string") {
    const hex = data.replace(/^Reverted\s+/i, "");
    return isHex(hex) ? hex : null;
  }
  if (typeof data === "object" && data !== null) {
    if ("data" in data) return revertData(data.data);
    if ("result" in data) return revertData(data.result);
  }
  return null;
}
