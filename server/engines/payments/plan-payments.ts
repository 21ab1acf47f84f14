import type { Left } from "#db/queries/transfers/left-transfers.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { firstFees, TRANSFER_GAS } from "#domain/evm-fees.ts";
import type { Transfer, WaitingKind } from "#domain/transfer.ts";
import type { HeldWallet, Round } from "./engine.ts";

/** A wallet that pays, by whose hand ever. */
export type Payer = Pick<HeldWallet, "row" | "inFlight">;
/** What a wallet may still spend in this pass, and what it is to pay. In base units. */
export type Purse<Wallet extends Payer = HeldWallet> = {
  wallet: Wallet;
  nativeBase: bigint;
  tokenBase: Map<string, bigint>;
  room: number;
  /** For so much gas, about, its native coin lasts. */
  gas: bigint;
  payments: Transfer[];
};
/** `later`: ids of what a wallet could pay that has too many on their way. `left`: what only another worker's wallet can pay. */
export type Plan = {
  purses: Purse[];
  waiting: { transfer: Transfer; kind: WaitingKind; reason: string }[];
  later: string[];
  left: Left[];
};

/** `known`: the addresses of all the treasury's wallets. `others`: those that pay by another worker's hand. */
type Payers = { ready: readonly HeldWallet[]; known: readonly string[]; others: () => Promise<readonly Payer[]> };

/**
 * Deals payments out to the treasury wallets: each goes to the wallet with the fewest on their way among those that hold enough,
 * what is already promised taken off. One that cannot pay the network's fee is dealt nothing that another could pay, now or once it has
 * room again. What no wallet in hand can pay is left to the worker whose wallet can, and waits only where there is none.
 * Balances are read as of the block up to which the chain was read, because exactly the transactions above it count as promised.
 */
export async function planPayments(round: Round, payers: Payers, transfers: readonly Transfer[]): Promise<Plan> {
  const tokens = new Set(
    transfers.flatMap(({ tokenAddress, call }) => (tokenAddress !== null && call === null ? [tokenAddress.toLowerCase()] : [])),
  );
  const purses = await Promise.all(payers.ready.map((wallet) => openPurse(round, wallet, tokens)));
  const later: string[] = [];
  const unpaid: Transfer[] = [];
  for (const transfer of transfers) {
    const able = ableOf(purses, transfer);
    const purse = roomiest(able);
    if (purse) pay(purse, transfer);
    else if (able.length > 0) later.push(transfer.id);
    else unpaid.push(transfer);
  }
  return { purses, later, ...(await planUnpaid(round, payers, { purses, tokens, unpaid })) };
}

type Unpaid = { purses: readonly Purse[]; tokens: ReadonlySet<string>; unpaid: readonly Transfer[] };

/** What no wallet in hand can pay, fee and all. One that lacks the fee alone is told so when it is signed. */
async function planUnpaid(round: Round, payers: Payers, { purses, tokens, unpaid }: Unpaid): Promise<Pick<Plan, "waiting" | "left">> {
  const waiting: Plan["waiting"] = [];
  const left: Left[] = [];
  if (unpaid.length === 0) return { waiting, left };
  const others = await payers.others();
  const paying = new Set([...payers.ready, ...others].map(({ row }) => row.address));
  const stopped = payers.known.some((address) => !paying.has(address));
  const theirs = await Promise.all(others.map((wallet) => openPurse(round, wallet, tokens)));
  for (const transfer of unpaid) {
    const rich = purses.filter((candidate) => canPay(candidate, transfer));
    const [other] = ableOf(theirs, transfer);
    const purse = roomiest(rich);
    if (other) {
      promise(other, transfer);
      left.push(transfer.call !== null || rich.length > 0 ? "all" : { tokenAddress: transfer.tokenAddress, fromBase: transfer.amountBase });
    } else if (purse) pay(purse, transfer);
    else waiting.push({ transfer, ...whyItWaits(round, { purses: [...purses, ...theirs], stopped }, transfer) });
  }
  return { waiting, left };
}

function ableOf<Wallet extends Payer>(purses: readonly Purse<Wallet>[], transfer: Transfer): Purse<Wallet>[] {
  return purses.filter((candidate) => canPay(candidate, transfer) && hasGas(candidate, transfer));
}

function roomiest(purses: readonly Purse[]): Purse | undefined {
  return purses.filter(({ room }) => room > 0).sort((one, other) => other.room - one.room)[0];
}

async function openPurse<Wallet extends Payer>(round: Round, wallet: Wallet, tokens: ReadonlySet<string>): Promise<Purse<Wallet>> {
  const { node, chain, cursorHeight, engine } = round;
  const { address } = wallet.row;
  const { inFlight } = wallet;
  const balanceOf = (token: string | null) => node.balance(address, token, cursorHeight);
  const free = async (token: string) => [token, (await balanceOf(token)) - (inFlight.tokenBase.get(token) ?? 0n)] as const;
  const [native, tokenBase] = await Promise.all([balanceOf(null), Promise.all([...tokens].map(free)).then((each) => new Map(each))]);
  const dataFee = await round.dataFee();
  const nativeBase = native - inFlight.nativeBase - BigInt(inFlight.promised) * dataFee;
  const fees = firstFees(await round.market(), chain.maxFeePerGas);
  const transferFee = TRANSFER_GAS * (fees?.maxFeePerGas ?? 0n) + dataFee;
  const gas = transferFee === 0n ? ENDLESS : (nativeBase * TRANSFER_GAS) / transferFee;
  return { wallet, nativeBase, tokenBase, room: engine.pace.maxInFlight - inFlight.count, gas, payments: [] };
}

/** Where gas costs nothing. */
const ENDLESS = 2n ** 64n;
/** A call of a contract is worth several transfers. */
const gasOf = ({ call }: Transfer) => (call === null ? TRANSFER_GAS : 5n * TRANSFER_GAS);
const hasGas = (purse: Purse<Payer>, transfer: Transfer) => purse.gas >= gasOf(transfer);

function canPay(purse: Purse<Payer>, transfer: Transfer): boolean {
  if (!maySend(purse, transfer)) return false;
  if (transfer.call !== null) return purse.nativeBase >= transfer.call.valueBase;
  if (transfer.tokenAddress === null) return purse.nativeBase > transfer.amountBase;
  return (purse.tokenBase.get(transfer.tokenAddress.toLowerCase()) ?? 0n) >= transfer.amountBase;
}

function pay(purse: Purse<Payer>, transfer: Transfer): void {
  purse.payments.push(transfer);
  purse.room -= 1;
  purse.gas -= gasOf(transfer);
  if (transfer.call !== null || transfer.tokenAddress === null) return; // native coin is taken off with its fee, when it is signed
  const token = transfer.tokenAddress.toLowerCase();
  purse.tokenBase.set(token, (purse.tokenBase.get(token) ?? 0n) - transfer.amountBase);
}

/** Takes off another worker's wallet what that worker will pay. */
function promise(purse: Purse<Payer>, transfer: Transfer): void {
  pay(purse, transfer);
  purse.nativeBase -= transfer.call?.valueBase ?? (transfer.tokenAddress === null ? transfer.amountBase : 0n);
}

function maySend({ wallet }: Purse<Payer>, { call }: Transfer): boolean {
  return call?.sender === undefined || call.sender.toLowerCase() === wallet.row.address.toLowerCase();
}

/** `stopped`: whether the treasury has wallets that sign nothing new just now beside these. */
type Asked = { purses: readonly Purse<Payer>[]; stopped: boolean };

function whyItWaits(round: Round, { purses, stopped }: Asked, transfer: Transfer): { kind: WaitingKind; reason: string } {
  const { name, native } = round.chain;
  const sender = transfer.call?.sender;
  if (sender !== undefined && !purses.some((purse) => maySend(purse, transfer))) {
    return {
      kind: "review",
      reason: `Only wallet ${sender} may send it, and that is stopped or not one of this service's wallets on ${name}.`,
    };
  }
  const reason =
    transfer.call === null ? tooLittle(round, transfer, stopped) : `The treasury on ${name} holds too little ${native.currency}.`;
  return { kind: "treasury_funding", reason };
}

function tooLittle(round: Round, transfer: Transfer, stopped: boolean): string {
  const amount = formatDecimal({ coefficient: transfer.amountBase, scale: transfer.tokenDecimals });
  const wallet = `treasury wallet on ${round.chain.name}${stopped ? " that signs just now" : ""}`;
  return `No ${wallet} holds ${amount} ${transfer.currency} that is not promised yet.`;
}
