import { type EvmIntent, type EvmLog, tokenMoveIn, ZERO_ADDRESS } from "./evm-intent.ts";
import type { Transfer } from "./transfer.ts";

/**
 * What became of a member: the token paid it or refused it, the whole transaction came to nothing (`unpaid`), or people look, because the logs
 * do not say.
 */
export const MEMBER_OUTCOMES = ["paid", "refused", "unpaid", "unclear"] as const;
export type MemberOutcome = (typeof MEMBER_OUTCOMES)[number];

/** One payment of a packed transaction. */
export type PackedMember = { recipient: string; amountBase: bigint };

/** `pay(address,uint256[])` of the packing contract. */
const PAY = "0x6ba15dd0";
/** `Refused(uint256)`. */
const REFUSED = "0x590a51514d0080f6eb5d11921efcecd78518db251823115a2e2c0d450bf41755";
/** What a member's word has room for, in base units. */
const LARGEST_BASE = 2n ** 96n - 1n;

/**
 * Why these payments cannot go into one transaction; null: they can. A recipient appears once, so that a log names its member, and neither
 * the contract nor the token is paid.
 */
export function packingFault(members: readonly PackedMember[], place: { contract: string; token: string }): string | null {
  const recipients = members.map(({ recipient }) => recipient.toLowerCase());
  if (members.length < 2) return "A packed transaction has two members at least.";
  if (new Set(recipients).size < recipients.length) return "Two members have the same recipient.";
  return members.map((member) => memberFault(member, place)).find((fault) => fault !== null) ?? null;
}

/** Why this payment can be no member of a packed transaction; null: it can. */
export function memberFault(
  { recipient, amountBase }: PackedMember,
  { contract, token }: { contract: string; token: string },
): string | null {
  const forbidden = [ZERO_ADDRESS, contract.toLowerCase(), token.toLowerCase()];
  if (forbidden.includes(recipient.toLowerCase())) return "A member's recipient is a contract that keeps what it gets.";
  return amountBase > 0n && amountBase <= LARGEST_BASE ? null : "A member's amount does not fit.";
}

/** The call that pays all of them with the caller's own tokens, in this order. @throws Error where they cannot be packed. */
export function packedCall(members: readonly PackedMember[], place: { contract: string; token: string }): EvmIntent {
  const fault = packingFault(members, place);
  if (fault !== null) throw new Error(fault);
  const words = members.map(
    ({ recipient, amountBase }) => `${recipient.slice(2).toLowerCase()}${amountBase.toString(16).padStart(24, "0")}`,
  );
  const data = [PAY, addressWord(place.token), word(64n), word(BigInt(members.length)), ...words].join("");
  return { to: place.contract, valueBase: 0n, data };
}

/** `approve(address,uint256)`. */
const APPROVE = "0x095ea7b3";
const ENDLESS = 2n ** 256n - 1n;

/** Lets the contract move a token of its caller, any amount: only the caller itself can have it do so. */
export function allowanceCall({ contract, token }: { contract: string; token: string }): EvmIntent {
  return { to: token, valueBase: 0n, data: `${APPROVE}${addressWord(contract)}${word(ENDLESS)}` };
}

/**
 * What became of a member: `place`, the position of its log among the transaction's own logs; or that the token refused it. Unclear: the logs
 * say neither, or both, and people look.
 */
export type MemberEnd = { outcome: "paid"; place: number } | { outcome: "refused" } | { outcome: "unclear" };

/**
 * Judges each member by the logs of a packed transaction that succeeded. A receipt's success alone says nothing: a member is paid only where
 * the token logged this very amount from the wallet to the recipient, once, and the contract logged no refusal.
 */
export function judgeMembers(
  logs: readonly EvmLog[],
  members: readonly PackedMember[],
  { contract, token, wallet }: { contract: string; token: string; wallet: string },
): MemberEnd[] {
  const refused = new Set(
    logs
      .filter(({ address, topics }) => isSame(address, contract) && isSame(topics[0] ?? "", REFUSED))
      .map(({ data }) => data.toLowerCase()),
  );
  const moves = logs.flatMap((log, place) => {
    const move = isSame(log.address, token) ? tokenMoveIn(log) : null;
    return move !== null && isSame(move.from, wallet) ? [{ place, to: move.to.toLowerCase(), amountBase: move.amountBase }] : [];
  });
  const movesTo = Map.groupBy(moves, ({ to }) => to);
  return members.map(({ recipient, amountBase }, position) => {
    const places = movesTo.get(recipient.toLowerCase()) ?? [];
    const isRefused = refused.has(`0x${word(BigInt(position))}`);
    const [only] = places;
    if (isRefused) return places.length === 0 ? { outcome: "refused" } : UNCLEAR;
    return only !== undefined && places.length === 1 && only.amountBase === amountBase ? { outcome: "paid", place: only.place } : UNCLEAR;
  });
}

/** A packed transaction as it is stored: its contract, its token, and the payments in their order. */
type StoredPack = {
  transfer: Pick<Transfer, "recipient" | "tokenAddress">;
  members: readonly { transfer: PackedMember & { id: string } }[];
  walletAddress: string;
};

/** How each payment of a stored packed transaction ended, by the payment's id. See {@link judgeMembers}. */
export function memberEnds(
  { transfer, members, walletAddress: wallet }: StoredPack,
  logs: readonly EvmLog[],
): ReadonlyMap<string, MemberEnd> {
  const paid = members.map(({ transfer: member }) => member);
  const ends = judgeMembers(logs, paid, { contract: transfer.recipient, token: transfer.tokenAddress ?? "", wallet });
  return new Map(paid.flatMap(({ id }, index) => (ends[index] ? [[id, ends[index]] as const] : [])));
}

/** What one of so many payments costs of what their transaction did, rounded up. */
export function shareOf(feeBase: bigint, payments: number): bigint {
  return (feeBase + BigInt(payments) - 1n) / BigInt(payments);
}

const UNCLEAR: MemberEnd = { outcome: "unclear" };

const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase();
const word = (value: bigint) => value.toString(16).padStart(64, "0");
const addressWord = (address: string) => address.slice(2).toLowerCase().padStart(64, "0");
