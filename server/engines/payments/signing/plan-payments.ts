import type { Left } from "#db/queries/transfers/left-transfers.ts";
import { formatDecimal } from "#domain/decimal.ts";
import { firstFees, TRANSFER_GAS } from "#domain/evm-fees.ts";
import { senderOf, type Transfer, type WaitingKind } from "#domain/transfer.ts";
import type { LeasedWallet, Pass } from "#server/engines/payments/engine.ts";

/** A wallet that pays, by whose hand ever. */
export type Payer = Pick<LeasedWallet, "row" | "inFlight">;
/** What a wallet may still spend in this pass, and what it is to pay. In base units. */
export type WalletBudget<Wallet extends Payer = LeasedWallet> = {
  wallet: Wallet;
  nativeBase: bigint;
  tokenBase: Map<string, bigint>;
  room: number;
  /** For so much gas, about, its native coin lasts. */
  gas: bigint;
  payments: Transfer[];
};
/** What a wallet may still spend in this pass: its balances, and for fees within this hour. */
export type Means = { walletBudget: WalletBudget; gas: { left: bigint | null } };
/** `later`: ids of what a wallet could pay that has too many on their way. `left`: what only another worker's wallet can pay. */
export type Plan = {
  walletBudgets: WalletBudget[];
  waiting: { transfer: Transfer; kind: WaitingKind; reason: string }[];
  later: string[];
  left: Left[];
};

/** `known`: the addresses of all the treasury's wallets. `others`: those that pay by another worker's hand. */
type Payers = { ready: readonly LeasedWallet[]; known: readonly string[]; others: () => Promise<readonly Payer[]> };

/**
 * Deals payments out to the treasury wallets: each goes to the wallet with the fewest on their way among those that hold enough,
 * what is already promised taken off. One that cannot pay the network's fee is dealt nothing that another could pay, now or once it has
 * room again. What no wallet in hand can pay is left to the worker whose wallet can, and waits only where there is none.
 * Balances are read as of the block up to which the chain was read, because exactly the transactions above it count as promised.
 */
export async function planPayments(pass: Pass, payers: Payers, transfers: readonly Transfer[]): Promise<Plan> {
  const tokens = new Set(
    transfers.flatMap(({ tokenAddress, call }) => (tokenAddress !== null && call === null ? [tokenAddress.toLowerCase()] : [])),
  );
  const walletBudgets = await Promise.all(payers.ready.map((wallet) => openBudget(pass, wallet, tokens)));
  const later: string[] = [];
  const unpaid: Transfer[] = [];
  for (const transfer of transfers) {
    const able = ableOf(walletBudgets, transfer);
    const walletBudget = roomiest(able);
    if (walletBudget) pay(walletBudget, transfer);
    else if (able.length > 0) later.push(transfer.id);
    else unpaid.push(transfer);
  }
  return { walletBudgets, later, ...(await planUnpaid(pass, payers, { walletBudgets, tokens, unpaid })) };
}

type Unpaid = { walletBudgets: readonly WalletBudget[]; tokens: ReadonlySet<string>; unpaid: readonly Transfer[] };

/** What no wallet in hand can pay, fee and all. One that lacks only the fee is found when it is signed. */
async function planUnpaid(pass: Pass, payers: Payers, { walletBudgets, tokens, unpaid }: Unpaid): Promise<Pick<Plan, "waiting" | "left">> {
  const waiting: Plan["waiting"] = [];
  const left: Left[] = [];
  if (unpaid.length === 0) return { waiting, left };
  const others = await payers.others();
  const paying = new Set([...payers.ready, ...others].map(({ row }) => row.address));
  const stopped = payers.known.some((address) => !paying.has(address));
  const theirs = await Promise.all(others.map((wallet) => openBudget(pass, wallet, tokens)));
  for (const transfer of unpaid) {
    const rich = walletBudgets.filter((candidate) => canPay(candidate, transfer));
    const [other] = ableOf(theirs, transfer);
    const walletBudget = roomiest(rich);
    if (other) {
      promise(other, transfer);
      const isBound = transfer.call !== null || transfer.sender !== undefined;
      left.push(isBound || rich.length > 0 ? "all" : { tokenAddress: transfer.tokenAddress, fromBase: transfer.amountBase });
    } else if (walletBudget) pay(walletBudget, transfer);
    else waiting.push({ transfer, ...whyItWaits(pass, { walletBudgets: [...walletBudgets, ...theirs], stopped }, transfer) });
  }
  return { waiting, left };
}

function ableOf<Wallet extends Payer>(walletBudgets: readonly WalletBudget<Wallet>[], transfer: Transfer): WalletBudget<Wallet>[] {
  return walletBudgets.filter((candidate) => canPay(candidate, transfer) && hasGas(candidate, transfer));
}

function roomiest(walletBudgets: readonly WalletBudget[]): WalletBudget | undefined {
  return walletBudgets.filter(({ room }) => room > 0).sort((one, other) => other.room - one.room)[0];
}

async function openBudget<Wallet extends Payer>(pass: Pass, wallet: Wallet, tokens: ReadonlySet<string>): Promise<WalletBudget<Wallet>> {
  const { node, chain, cursorHeight, engine } = pass;
  const { address } = wallet.row;
  const { inFlight } = wallet;
  const balanceOf = (token: string | null) => node.balance(address, token, cursorHeight);
  const free = async (token: string) => [token, (await balanceOf(token)) - (inFlight.tokenBase.get(token) ?? 0n)] as const;
  const [native, tokenBase] = await Promise.all([balanceOf(null), Promise.all([...tokens].map(free)).then((each) => new Map(each))]);
  const dataFee = await pass.dataFee();
  const nativeBase = native - inFlight.nativeBase - BigInt(inFlight.promised) * dataFee;
  const fees = firstFees(await pass.market(), chain.maxFeePerGas);
  const transferFee = TRANSFER_GAS * (fees?.maxFeePerGas ?? 0n) + dataFee;
  const gas = transferFee === 0n ? ENDLESS : (nativeBase * TRANSFER_GAS) / transferFee;
  return { wallet, nativeBase, tokenBase, room: engine.timings.maxInFlight - inFlight.count, gas, payments: [] };
}

/** Where gas costs nothing. */
const ENDLESS = 2n ** 64n;
/** A call of a contract is worth several transfers. */
const gasOf = ({ call }: Transfer) => (call === null ? TRANSFER_GAS : 5n * TRANSFER_GAS);
const hasGas = (walletBudget: WalletBudget<Payer>, transfer: Transfer) => walletBudget.gas >= gasOf(transfer);

function canPay(walletBudget: WalletBudget<Payer>, transfer: Transfer): boolean {
  if (!maySend(walletBudget, transfer)) return false;
  if (transfer.call !== null) return walletBudget.nativeBase >= transfer.call.valueBase;
  if (transfer.tokenAddress === null) return walletBudget.nativeBase > transfer.amountBase;
  return (walletBudget.tokenBase.get(transfer.tokenAddress.toLowerCase()) ?? 0n) >= transfer.amountBase;
}

function pay(walletBudget: WalletBudget<Payer>, transfer: Transfer): void {
  walletBudget.payments.push(transfer);
  walletBudget.room -= 1;
  walletBudget.gas -= gasOf(transfer);
  if (transfer.call !== null || transfer.tokenAddress === null) return; // native coin is taken off with its fee, when it is signed
  const token = transfer.tokenAddress.toLowerCase();
  walletBudget.tokenBase.set(token, (walletBudget.tokenBase.get(token) ?? 0n) - transfer.amountBase);
}

/** Takes off another worker's wallet what that worker will pay. */
function promise(walletBudget: WalletBudget<Payer>, transfer: Transfer): void {
  pay(walletBudget, transfer);
  walletBudget.nativeBase -= transfer.call?.valueBase ?? (transfer.tokenAddress === null ? transfer.amountBase : 0n);
}

function maySend({ wallet }: WalletBudget<Payer>, transfer: Transfer): boolean {
  const sender = senderOf(transfer);
  return sender === undefined || sender.toLowerCase() === wallet.row.address.toLowerCase();
}

/** `stopped`: whether the treasury has wallets that sign nothing new just now, in addition to these. */
type Asked = { walletBudgets: readonly WalletBudget<Payer>[]; stopped: boolean };

function whyItWaits(pass: Pass, { walletBudgets, stopped }: Asked, transfer: Transfer): { kind: WaitingKind; reason: string } {
  const { name, native } = pass.chain;
  const sender = senderOf(transfer);
  if (sender !== undefined && !walletBudgets.some((walletBudget) => maySend(walletBudget, transfer))) {
    return {
      kind: "review",
      reason: `Only wallet ${sender} may send it, and that is stopped or not one of this service's wallets on ${name}.`,
    };
  }
  const reason =
    transfer.call === null ? tooLittle(pass, transfer, stopped) : `The treasury on ${name} holds too little ${native.currency}.`;
  return { kind: "treasury_funding", reason };
}

function tooLittle(pass: Pass, transfer: Transfer, stopped: boolean): string {
  const amount = formatDecimal({ coefficient: transfer.amountBase, scale: transfer.tokenDecimals });
  const wallet = `treasury wallet on ${pass.chain.name}${stopped ? " that signs just now" : ""}`;
  return `No ${wallet} holds ${amount} ${transfer.currency} that is not promised yet.`;
}
