import type { EvmBlock } from "#domain/evm-chain.ts";
import type { EvmIntent, EvmLog } from "#domain/evm-intent.ts";
import type { PackedMember } from "#domain/packed-transfers.ts";

/** What a transaction does, as the simulated contracts read it, and what it logs. */

export type Signed = EvmIntent & {
  hash: string;
  raw: string;
  sender: string;
  nonce: number;
  gasLimit: bigint;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
};
/** `gasUsed`: by each of its transactions, in no other block as much. */
export type Block = EvmBlock & {
  signed: readonly Signed[];
  failed: ReadonlySet<string>;
  refusing: ReadonlyMap<string, ReadonlySet<string>>;
  gasUsed: bigint;
};

const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const EXECUTED_TOPIC = "0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e";
const REFUSED_TOPIC = "0x590a51514d0080f6eb5d11921efcecd78518db251823115a2e2c0d450bf41755";
export const TOKEN = `0x${"70".repeat(20)}`;
export const [PACKER, PACKER_CODE] = [`0x${"9a".repeat(20)}`, "0x9a"];
/** Where all Safes' addresses begin. */
export const SAFES = `0x5afe${"0".repeat(32)}`;
const EXECUTE = "0x6a761202";

/** The recipient that a token's `transfer` pays; null: it is none. */
export function recipientOf({ to, data }: EvmIntent): string | null {
  return to?.toLowerCase() === TOKEN && data.startsWith("0xa9059cbb") ? `0x${data.slice(34, 74)}` : null;
}

export const NOBODY: ReadonlySet<string> = new Set();

/** Whom a transaction that succeeded in that block has paid. */
export function paidIn(one: Signed, { refusing }: Pick<Block, "refusing">): string[] {
  const recipient = recipientOf(one);
  const refused = refusing.get(one.data) ?? NOBODY;
  if (recipient !== null) return [recipient];
  return (membersIn(one) ?? []).flatMap((member) => (refused.has(member.recipient) ? [] : [member.recipient]));
}

/** The payments of a packed transaction; null: it is none. */
export function membersIn({ to, data }: EvmIntent): PackedMember[] | null {
  if (to?.toLowerCase() !== PACKER || !data.startsWith("0x6ba15dd0")) return null;
  const words = data.slice(10 + 3 * 64).match(/.{64}/g) ?? [];
  return words.map((each) => ({ recipient: `0x${each.slice(0, 40)}`, amountBase: BigInt(`0x${each.slice(40)}`) }));
}

/** What a packed transaction is estimated to use, with what the contract keeps in reserve. */
export function packedGas(intent: EvmIntent): bigint | null {
  const members = membersIn(intent);
  return members === null ? null : 215_000n + 21_000n + 29_000n * BigInt(members.length - 1);
}

export const isAllowance = ({ to, data }: EvmIntent) => to?.toLowerCase() === TOKEN && data.startsWith("0x095ea7b3");
const word = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;

type Sweep = { recipient: string; amountBase: bigint; sender: string };
const hex64 = (value: bigint) => value.toString(16).padStart(64, "0");

/** What has a Safe hand tokens over. */
export function sweepData({ recipient, amountBase, sender }: Sweep): string {
  return `${EXECUTE}${word(recipient).slice(2)}${hex64(amountBase)}${word(sender).slice(2)}`;
}

/** The Safe whose tokens a transaction takes; null: it takes none. */
export function sweptIn({ to, data }: EvmIntent): { safe: string; recipient: string; amountBase: bigint } | null {
  if (to === null || !to.startsWith(SAFES) || !data.startsWith(EXECUTE)) return null;
  return { safe: to, recipient: `0x${data.slice(34, 74)}`, amountBase: BigInt(`0x${data.slice(74, 138)}`) };
}

function sweepLogs({ safe, recipient, amountBase }: NonNullable<ReturnType<typeof sweptIn>>): EvmLog[] {
  const data = `0x${hex64(amountBase)}`;
  return [
    { address: TOKEN, topics: [TRANSFER_TOPIC, word(safe), word(recipient)], data },
    { address: safe, topics: [EXECUTED_TOPIC, `0x${"5a".repeat(32)}`], data: `0x${hex64(0n)}` },
  ];
}

/** What a transaction logs where the token refuses these recipients. */
export function logsOf(one: EvmIntent & Pick<Signed, "sender">, refusing: ReadonlySet<string>): EvmLog[] {
  const moved = (recipient: string, data: string) => ({
    address: TOKEN,
    topics: [TRANSFER_TOPIC, word(one.sender), word(recipient)],
    data,
  });
  const [recipient, sweep] = [recipientOf(one), sweptIn(one)];
  if (recipient !== null) return [moved(recipient, `0x${one.data.slice(74)}`)];
  if (sweep !== null) return sweepLogs(sweep);
  return (membersIn(one) ?? []).map((member, position) =>
    refusing.has(member.recipient)
      ? { address: PACKER, topics: [REFUSED_TOPIC], data: `0x${position.toString(16).padStart(64, "0")}` }
      : moved(member.recipient, `0x${member.amountBase.toString(16).padStart(64, "0")}`),
  );
}
