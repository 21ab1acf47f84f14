import { formatDecimal } from "#domain/decimal.ts";
import { baseToDecimal } from "#domain/money.ts";

/** What the chain says of a payment. `network_fee`: what sending it cost the operator, in the chain's own coin. */
export type PaymentReceiptWire = {
  hash: string;
  block_hash: string;
  block_number: number;
  log_index: number | null;
  network_fee: { amount: string; currency: string } | null;
};

type PaymentReceipt = {
  hash: string;
  blockHash: string;
  blockHeight: number;
  logIndex: number | null;
  networkFee: { base: bigint; currency: string; decimals: number } | null;
};

export function renderPaymentReceipt({ hash, blockHash, blockHeight, logIndex, networkFee }: PaymentReceipt): PaymentReceiptWire {
  const network_fee = networkFee && {
    amount: formatDecimal(baseToDecimal(networkFee.base, networkFee.decimals)),
    currency: networkFee.currency,
  };
  return { hash, block_hash: blockHash, block_number: blockHeight, log_index: logIndex, network_fee };
}
