import { listPartnersPaidAt } from "#db/queries/partners/partners-paid-at.ts";
import { tokenTransferIn } from "#domain/evm-intent.ts";
import type { ForeignTransaction } from "#domain/foreign-transaction.ts";
import { exactText } from "#domain/money.ts";
import type { Uses } from "#server/context.ts";
import { type EvmChain, Unreachable } from "#server/ports.ts";
import type { ChainComparison } from "./compare-treasury.ts";

/** A transaction of a treasury's wallet that the database does not know, in words that a partner can look up. */
export type ForeignPayment = {
  chain: string;
  wallet: string;
  nonce: number;
  hash: string;
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
  const keyOf = ({ partners, chain, height, nonce }: ForeignPayment) =>
    [partners.length === 0 ? LAST : partners.join(" "), chain, String(height).padStart(12, "0"), String(nonce).padStart(12, "0")].join(
      "\n",
    );
  return named.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

async function describe(chain: EvmChain | null, { chain: name, wallets, paid }: ChainComparison): Promise<ForeignPayment[]> {
  const payments = new Map(paid.map(({ payment, transaction }) => [transaction.hash, payment.id]));
  const heights = new Set(wallets.flatMap(({ transactions }) => transactions.map(({ height }) => height)));
  const times = new Map(await Promise.all([...heights].map(async (height) => [height, await timeOf(chain, height)] as const)));
  return wallets.flatMap(({ address, transactions }) =>
    transactions.map((transaction) => ({
      chain: name,
      wallet: address,
      nonce: transaction.nonce,
      hash: transaction.hash,
      height: transaction.height,
      at: times.get(transaction.height) ?? null,
      succeeded: transaction.succeeded,
      ...paymentIn(chain, transaction),
      transferId: payments.get(transaction.hash) ?? null,
      partners: [],
    })),
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

function paymentIn(chain: EvmChain | null, { intent }: ForeignTransaction): Pick<ForeignPayment, "currency" | "amount" | "recipient"> {
  const transfer = tokenTransferIn(intent);
  const to = intent.to ?? "";
  if (transfer === null) {
    if (intent.data !== "0x" || chain === null) return { currency: to, amount: null, recipient: to };
    return { currency: chain.native.currency, amount: exactText(intent.valueBase, chain.native.decimals), recipient: to };
  }
  const token = chain?.tokens.find(({ address }) => address?.toLowerCase() === transfer.token.toLowerCase());
  if (token === undefined) return { currency: transfer.token, amount: null, recipient: transfer.recipient };
  return { currency: token.currency, amount: exactText(transfer.amountBase, token.decimals), recipient: transfer.recipient };
}
