import { listPartnersPaidAt } from "#db/queries/partners/partners-paid-at.ts";
import { tokenTransferIn } from "#domain/evm-intent.ts";
import { type ForeignTransaction, type Movement, movementsIn } from "#domain/foreign-transaction.ts";
import { exactText } from "#domain/money.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, Unreachable } from "#server/ports.ts";
import type { ChainComparison } from "./compare-treasury.ts";

/**
 * What a transaction of a treasury's wallet paid that the database does not know, in words that a partner can look up. A packed transaction
 * has one for each of its payments.
 */
export type ForeignPayment = {
  chain: string;
  wallet: string;
  nonce: number;
  hash: string;
  /** The index of the token's event among the transaction's own logs; null: the transaction itself, or a call that moved nothing. */
  logIndex: number | null;
  height: number;
  /** The time of its block; null where no node knows it. */
  at: Date | null;
  succeeded: boolean;
  /** The currency's code, or the contract that was called; `amount` in its units, null if it is not a plain payment. */
  currency: string;
  amount: string | null;
  recipient: string;
  /** The owed payment that it made; null: nothing that is owed here. */
  transferId: string | null;
  /** Those whose settlements this database knows to that recipient; none, one, or several. */
  partners: readonly string[];
};

/** Behind every name. */
const LAST = "\uffff";

/**
 * Every unknown transaction of a comparison, with time, amount and recipient, and the partner if the recipient identifies it. Grouped by
 * partner, oldest first; those without one come last. It changes nothing.
 */
export async function listForeignPayments(ctx: Uses<"db" | "evm">, compared: readonly ChainComparison[]): Promise<ForeignPayment[]> {
  const payments = (await Promise.all(compared.map((one) => describe(ctx.evm.find(one.chain), one)))).flat();
  const known = await listPartnersPaidAt(
    ctx.db,
    payments.map(({ recipient }) => recipient),
  );
  const named = payments.map((payment) => ({ ...payment, partners: known.get(payment.recipient.toLowerCase()) ?? [] }));
  const padded = (value: number | null) => String(value ?? 0).padStart(12, "0");
  const keyOf = ({ partners, chain, height, nonce, logIndex }: ForeignPayment) =>
    [partners.length === 0 ? LAST : partners.join(" "), chain, padded(height), padded(nonce), padded(logIndex)].join("\n");
  return named.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

async function describe(chain: EvmChain | null, { chain: name, wallets, paid }: ChainComparison): Promise<ForeignPayment[]> {
  const nameOf = (hash: string, place: number | null) => `${hash} ${place}`;
  const payments = new Map(paid.map(({ payment, transaction, place }) => [nameOf(transaction.hash, place), payment.id]));
  const heights = new Set(wallets.flatMap(({ transactions }) => transactions.map(({ height }) => height)));
  const times = new Map(await Promise.all([...heights].map(async (height) => [height, await timeOf(chain, height)] as const)));
  return wallets.flatMap(({ address, transactions }) =>
    transactions.flatMap((transaction) =>
      paymentsIn(chain, transaction, address).map((payment) => ({
        chain: name,
        wallet: address,
        nonce: transaction.nonce,
        hash: transaction.hash,
        height: transaction.height,
        at: times.get(transaction.height) ?? null,
        succeeded: transaction.succeeded,
        ...payment,
        transferId: payments.get(nameOf(transaction.hash, payment.logIndex)) ?? null,
        partners: [],
      })),
    ),
  );
}

async function timeOf(chain: EvmChain | null, height: number): Promise<Date | null> {
  for (const node of chain?.nodes ?? []) {
    const block = await node.block(height).catch((error: unknown) => {
      if (error instanceof Unreachable) return null;
      throw error;
    });
    if (block !== null) return block.at;
  }
  return null;
}

type Paid = Pick<ForeignPayment, "logIndex" | "currency" | "amount" | "recipient">;

/** What left the wallet, by its logs; where nothing did, what the transaction called or meant to pay. */
function paymentsIn(chain: EvmChain | null, transaction: ForeignTransaction, wallet: string): Paid[] {
  const moves = movementsIn(transaction, wallet).filter(({ sender }) => sender === wallet.toLowerCase());
  return moves.length === 0 ? [intended(chain, transaction)] : moves.map((move) => moved(chain, move));
}

function moved(chain: EvmChain | null, { place, token, recipient, amountBase }: Movement): Paid {
  const about = { logIndex: place < 0 ? null : place, recipient };
  const known = chain?.tokens.find(({ address }) => (address?.toLowerCase() ?? null) === token);
  if (known === undefined) return { ...about, currency: token ?? "", amount: null };
  return { ...about, currency: known.currency, amount: exactText(amountBase, known.decimals) };
}

function intended(chain: EvmChain | null, { intent }: ForeignTransaction): Paid {
  const transfer = tokenTransferIn(intent);
  const to = intent.to ?? "";
  const about = { logIndex: null, recipient: to, currency: to, amount: null };
  if (transfer === null) {
    if (intent.data !== "0x" || chain === null) return about;
    return { ...about, currency: chain.native.currency, amount: exactText(intent.valueBase, chain.native.decimals) };
  }
  const { recipient, token, amountBase } = transfer;
  return moved(chain, { place: -1, token: token.toLowerCase(), sender: "", recipient, amountBase });
}
