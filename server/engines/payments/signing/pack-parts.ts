import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { oweTransfer } from "#db/queries/transfers/owe-transfer.ts";
import { listTried } from "#db/queries/transfers/pack-members.ts";
import type { EvmIntent } from "#domain/evm-intent.ts";
import { allowanceCall, memberFault } from "#domain/packed-transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { LeasedWallet, Pass } from "#server/engines/payments/engine.ts";
import { EvmRejected } from "#server/ports.ts";
import { newTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import type { Payment } from "./make-transactions.ts";

const MOST_MEMBERS = 100;
/** EIP-7825 ends a transaction at 16,777,216. */
const MOST_GAS = 15_000_000n;
/** What a transaction of its own costs each payment. */
export const TRANSACTION_GAS = 21_000n;
/** The contract wants so much left before each member. An estimate includes it, and the transaction gives it back. */
const RESERVE = 215_000n;

/** Where payments are packed. `now`: business time. */
export type Place = { contract: string; token: string; now: Date };
/** A payment, and what it uses alone. */
export type Weighed = Payment & { gas: bigint };
export type Group<One extends Weighed> = { place: Place; members: readonly One[] };

/** What a packed transaction uses at most: its estimate without the reserve, which is what is left before the last payment. */
export const usedGas = (estimate: bigint, lastAlone: bigint) => estimate - RESERVE + lastAlone - TRANSACTION_GAS;

/** The most gas that a packed transaction may be given. */
export function roomOf({ head }: Pass): bigint {
  const share = (head.gasLimit * 3n) / 10n;
  return share < MOST_GAS ? share : MOST_GAS;
}

/**
 * Groups of payments that one transaction may make: plain payments of one token that were neither signed nor packed before, each recipient once
 * in a group, each group within the room.
 */
export async function groupsOf<One extends Weighed>(pass: Pass, payments: readonly One[]): Promise<Group<One>[]> {
  const contract = pass.chain.packingContract;
  if (contract === null || payments.length < 2) return [];
  const { db } = pass.engine.ctx;
  const tried = await listTried(
    db,
    payments.map(({ transfer }) => transfer.id),
  );
  const now = await readBusinessNow(db);
  return [...Map.groupBy(payments, ({ transfer }) => tokenOf(transfer))].flatMap(([token, same]) => {
    if (token === null) return [];
    const place = { contract, token, now };
    const able = same.filter(({ transfer }) => !tried.has(transfer.id) && memberFault(transfer, place) === null);
    return grouped(pass, able).map((members) => ({ place, members }));
  });
}

/** Whose plain payments may be packed; null: none of this kind. */
function tokenOf({ call, sender, tokenAddress }: Transfer): string | null {
  return call === null && sender === undefined ? (tokenAddress?.toLowerCase() ?? null) : null;
}

/** As a member, a payment uses at most what it uses alone, without its own transaction. */
const memberGas = ({ gas }: Weighed) => (gas > TRANSACTION_GAS ? gas - TRANSACTION_GAS : gas);

function grouped<One extends Weighed>(pass: Pass, payments: readonly One[]): One[][] {
  const room = (roomOf(pass) * 2n) / 3n - RESERVE;
  const groups: { members: One[]; recipients: Set<string>; gas: bigint }[] = [];
  for (const payment of payments) {
    const recipient = payment.transfer.recipient.toLowerCase();
    const free = groups.find(
      ({ members, recipients, gas }) => members.length < MOST_MEMBERS && !recipients.has(recipient) && gas + memberGas(payment) <= room,
    );
    const group = free ?? { members: [], recipients: new Set<string>(), gas: 0n };
    if (free === undefined) groups.push(group);
    group.members.push(payment);
    group.recipients.add(recipient);
    group.gas += memberGas(payment);
  }
  return groups.flatMap(({ members }) => (members.length > 1 ? [members] : []));
}

/** What an intent is estimated to use; null: it does not pass. @throws Unreachable */
export async function estimateOf({ node }: Pass, sender: string, intent: EvmIntent): Promise<bigint | null> {
  const simulation = await node.simulate(sender, intent).catch((error: unknown) => {
    if (error instanceof EvmRejected) return null;
    throw error;
  });
  return simulation?.outcome === "passes" ? simulation.gas : null;
}

/** Whether the contract may move so much of the wallet's tokens. Where it may not, the wallet owes that, and payments go alone until then. */
export async function mayMove(pass: Pass, wallet: LeasedWallet, place: Place, amountBase: bigint): Promise<boolean> {
  if ((await pass.node.allowance(place.token, wallet.row.address, place.contract)) >= amountBase) return true;
  await oweAllowance(pass, wallet, place);
  return false;
}

/** The transfer of a packed transaction. It is its own owner: what it is owed for is in its members. */
export function packTransfer(payments: readonly Transfer[], intent: EvmIntent, sender: string, now: Date): Transfer {
  const [first] = payments;
  if (first === undefined || intent.to === null) throw new Error("nothing is packed");
  const { chain, currency, tokenAddress, tokenDecimals } = first;
  const owed = { purpose: "pack", ownerId: "", partnerId: null, chain, currency, tokenAddress, tokenDecimals } as const;
  const call = { ...intent, sender };
  const transfer = newTransfer({ ...owed, amountBase: sumOf(payments), recipient: intent.to, call, now });
  return { ...transfer, ownerId: transfer.id };
}

export const sumOf = (payments: readonly Transfer[]) => payments.reduce((sum, { amountBase }) => sum + amountBase, 0n);

/** Lets the contract move the wallet's tokens, once and for ever, by a transaction of the wallet. Until it is mined, payments go alone. */
async function oweAllowance({ engine, chain }: Pass, { row }: LeasedWallet, { contract, token }: Place): Promise<void> {
  const { ctx, memory } = engine;
  const ownerId = `${row.id}:${token}:${contract}`.toLowerCase();
  if (memory.allowances.has(ownerId)) return;
  const { currency, decimals: tokenDecimals } = chain.native;
  const call = { ...allowanceCall({ contract, token }), sender: row.address };
  const owed = { purpose: "allowance", ownerId, partnerId: null, chain: chain.chain, currency, tokenAddress: null, tokenDecimals } as const;
  await ctx.db.transaction(async (tx) => {
    const now = await readBusinessNow(tx);
    await oweTransfer(tx, newTransfer({ ...owed, amountBase: 0n, recipient: contract, call, now }));
  });
  memory.allowances.add(ownerId);
}
