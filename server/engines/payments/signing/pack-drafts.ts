import { readBusinessNow } from "#db/queries/maintenance/clock.ts";
import { oweTransfer } from "#db/queries/transfers/owe-transfer.ts";
import { listTried } from "#db/queries/transfers/pack-members.ts";

import { gasLimitFor } from "#domain/evm-fees.ts";
import { allowanceCall, memberFault, packedCall } from "#domain/packed-transfers.ts";
import type { Transfer } from "#domain/transfer.ts";
import type { LeasedWallet, Pass } from "#server/engines/payments/engine.ts";
import { EvmRejected } from "#server/ports.ts";
import { type EnqueueTransfer, newTransfer } from "#server/services/transfers/enqueue-transfer.ts";
import type { Draft } from "./make-transactions.ts";
import type { Means } from "./plan-payments.ts";

const MOST_MEMBERS = 100;
/** EIP-7825 ends a transaction at 16,777,216. */
const MOST_GAS = 15_000_000n;
/** What a transaction of its own costs each payment. */
const TRANSACTION_GAS = 21_000n;
/** The contract wants so much left before each member. An estimate includes it, and the transaction gives it back. */
const RESERVE = 215_000n;

type Place = { contract: string; token: string };

/**
 * Puts payments of one wallet and token into packed transactions, where that uses less gas than a transaction each. No payment waits for
 * others: what is not packed, for whatever reason, is paid alone in the same pass. A payment that was signed or packed before is paid alone.
 *
 * @throws Unreachable
 */
export async function packDrafts(pass: Pass, means: Means, drafts: readonly Draft[]): Promise<Draft[]> {
  const contract = pass.chain.packingContract;
  if (contract === null || drafts.length < 2) return [...drafts];
  const ids = drafts.map(({ transfer }) => transfer.id);
  const tried = await listTried(pass.engine.ctx.db, ids);
  const packs = new Map<Draft, Draft>();
  const tokens = Map.groupBy(drafts, ({ transfer }) => tokenOf(transfer));
  const now = await readBusinessNow(pass.engine.ctx.db);
  for (const [token, same] of tokens) {
    if (token === null) continue;
    const place = { contract, token };
    const able = same.filter(({ transfer }) => !tried.has(transfer.id) && memberFault(transfer, place) === null);
    for (const members of groupsOf(pass, able)) {
      const pack = await packOf(pass, means, members, { ...place, now });
      if (pack !== null) for (const member of members) packs.set(member, pack);
    }
  }
  // In the order of the first member of each.
  return [...new Set(drafts.map((draft) => packs.get(draft) ?? draft))];
}

/** Whose plain payments may be packed; null: none of this kind. */
function tokenOf({ call, sender, tokenAddress }: Transfer): string | null {
  return call === null && sender === undefined ? (tokenAddress?.toLowerCase() ?? null) : null;
}

/** The most gas that a packed transaction may be given. */
function roomOf({ head }: Pass): bigint {
  const share = (head.gasLimit * 3n) / 10n;
  return share < MOST_GAS ? share : MOST_GAS;
}

/** Each recipient once in a group, each group within the room: a payment alone uses more than as a member. */
function groupsOf(pass: Pass, drafts: readonly Draft[]): Draft[][] {
  const room = (roomOf(pass) * 2n) / 3n - RESERVE;
  const groups: { members: Draft[]; recipients: Set<string>; gas: bigint }[] = [];
  for (const draft of drafts) {
    const recipient = draft.transfer.recipient.toLowerCase();
    const free = groups.find(
      ({ members, recipients, gas }) => members.length < MOST_MEMBERS && !recipients.has(recipient) && gas + draft.gas <= room,
    );
    const group = free ?? { members: [], recipients: new Set<string>(), gas: 0n };
    if (free === undefined) groups.push(group);
    group.members.push(draft);
    group.recipients.add(recipient);
    group.gas += draft.gas;
  }
  return groups.flatMap(({ members }) => (members.length > 1 ? [members] : []));
}

/** The packed transaction of these payments; null: it cannot be made, or is not cheaper. */
async function packOf(
  pass: Pass,
  { walletBudget, gas }: Means,
  members: readonly Draft[],
  { now, ...place }: Place & { now: Date },
): Promise<Draft | null> {
  const { wallet } = walletBudget;
  const { address } = wallet.row;
  const payments = members.map(({ transfer }) => transfer);
  const [first, last] = [members[0], members.at(-1)];
  if (first === undefined || last === undefined) return null;
  const amountBase = payments.reduce((sum, payment) => sum + payment.amountBase, 0n);
  if ((await pass.node.allowance(place.token, address, place.contract)) < amountBase) {
    await oweAllowance(pass, wallet, place);
    return null;
  }
  const intent = packedCall(payments, place);
  const simulation = await pass.node.simulate(address, intent).catch((error: unknown) => {
    if (error instanceof EvmRejected) return null;
    throw error;
  });
  if (simulation?.outcome !== "passes") return null;
  const gasLimit = gasLimitFor(simulation.gas);
  // At most: the reserve is what is left before the last member, which then uses less than it would alone.
  const used = simulation.gas - RESERVE + last.gas - TRANSACTION_GAS;
  if (gasLimit > roomOf(pass) || used >= members.reduce((sum, member) => sum + member.gas, 0n)) return null;
  const promised = members.reduce((sum, member) => sum + member.gasLimit * member.fees.maxFeePerGas, 0n);
  const more = gasLimit * first.fees.maxFeePerGas - promised;
  if (more > 0n) {
    if (walletBudget.nativeBase < more || (gas.left !== null && gas.left < more)) return null;
    walletBudget.nativeBase -= more;
    if (gas.left !== null) gas.left -= more;
  }
  const transfer = packTransfer(first.transfer, { amountBase, recipient: place.contract, call: { ...intent, sender: address }, now });
  return { transfer, intent, gas: simulation.gas, gasLimit, fees: first.fees, members };
}

/** Its own owner: what it is owed for is in its members. */
function packTransfer(first: Transfer, pack: Required<Pick<EnqueueTransfer, "amountBase" | "recipient" | "call" | "now">>): Transfer {
  const { chain, currency, tokenAddress, tokenDecimals } = first;
  const transfer = newTransfer({ ...pack, purpose: "pack", ownerId: "", partnerId: null, chain, currency, tokenAddress, tokenDecimals });
  return { ...transfer, ownerId: transfer.id };
}

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
