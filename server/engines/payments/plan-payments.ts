import { formatDecimal } from "#domain/decimal.ts";
import type { Transfer, WaitingKind } from "#domain/transfer.ts";
import type { HeldWallet, Round } from "./engine.ts";

/** What a wallet may still spend in this pass, and what it is to pay. In base units. */
export type Purse = { wallet: HeldWallet; nativeBase: bigint; tokenBase: Map<string, bigint>; room: number; payments: Transfer[] };
export type Plan = { purses: Purse[]; waiting: { transfer: Transfer; kind: WaitingKind; reason: string }[] };

/**
 * Deals payments out to the treasury wallets: each goes to the wallet with the fewest on their way among those that hold enough,
 * what is already promised taken off. Balances are read as of the block up to which the chain was read, because exactly the
 * transactions above it count as promised.
 */
export async function planPayments(round: Round, wallets: readonly HeldWallet[], transfers: readonly Transfer[]): Promise<Plan> {
  const tokens = new Set(
    transfers.flatMap(({ tokenAddress, call }) => (tokenAddress !== null && call === null ? [tokenAddress.toLowerCase()] : [])),
  );
  const purses = await Promise.all(wallets.map((wallet) => openPurse(round, wallet, tokens)));
  const waiting: Plan["waiting"] = [];
  for (const transfer of transfers) {
    const purse = purses
      .filter((candidate) => candidate.room > 0 && canPay(candidate, transfer))
      .sort((left, right) => right.room - left.room)[0];
    if (purse) pay(purse, transfer);
    else waiting.push({ transfer, ...whyItWaits(round, purses, transfer) });
  }
  return { purses, waiting };
}

async function openPurse({ node, cursorHeight, engine, dataFee }: Round, wallet: HeldWallet, tokens: ReadonlySet<string>): Promise<Purse> {
  const { address } = wallet.row;
  const { inFlight } = wallet;
  const balanceOf = (token: string | null) => node.balance(address, token, cursorHeight);
  const free = async (token: string) => [token, (await balanceOf(token)) - (inFlight.tokenBase.get(token) ?? 0n)] as const;
  const [native, tokenBase] = await Promise.all([balanceOf(null), Promise.all([...tokens].map(free)).then((each) => new Map(each))]);
  const nativeBase = native - inFlight.nativeBase - BigInt(inFlight.promised) * (await dataFee());
  return { wallet, nativeBase, tokenBase, room: engine.pace.maxInFlight - inFlight.count, payments: [] };
}

function canPay(purse: Purse, transfer: Transfer): boolean {
  if (!maySend(purse, transfer)) return false;
  if (transfer.call !== null) return purse.nativeBase >= transfer.call.valueBase;
  if (transfer.tokenAddress === null) return purse.nativeBase > transfer.amountBase;
  return (purse.tokenBase.get(transfer.tokenAddress.toLowerCase()) ?? 0n) >= transfer.amountBase;
}

function pay(purse: Purse, transfer: Transfer): void {
  purse.payments.push(transfer);
  purse.room -= 1;
  if (transfer.call !== null || transfer.tokenAddress === null) return; // native coin is taken off with its fee, when it is signed
  const token = transfer.tokenAddress.toLowerCase();
  purse.tokenBase.set(token, (purse.tokenBase.get(token) ?? 0n) - transfer.amountBase);
}

function maySend({ wallet }: Purse, { call }: Transfer): boolean {
  return call?.sender === undefined || call.sender.toLowerCase() === wallet.row.address.toLowerCase();
}

function whyItWaits(round: Round, purses: readonly Purse[], transfer: Transfer): { kind: WaitingKind; reason: string } {
  const { name, native } = round.chain;
  const sender = transfer.call?.sender;
  if (sender !== undefined && !purses.some((purse) => maySend(purse, transfer))) {
    return {
      kind: "review",
      reason: `Only wallet ${sender} may send it, and that is stopped or not one of this service's wallets on ${name}.`,
    };
  }
  const reason =
    transfer.call === null ? tooLittle(round, transfer) : `The treasury on ${name} holds too little ${native.currency}, or is busy.`;
  return { kind: "treasury_funding", reason };
}

function tooLittle(round: Round, transfer: Transfer): string {
  const amount = formatDecimal({ coefficient: transfer.amountBase, scale: transfer.tokenDecimals });
  return `No treasury wallet on ${round.chain.name} holds ${amount} ${transfer.currency} that is not promised yet.`;
}
