import { z } from "zod";
import { confirmations, currency, decimals, type LapsingConfig, lapsingConfig, lapsingFields, NO_WALLET, packing } from "./chain-fields.ts";
import { evmAddress, type NamedWallet, toWallet, walletInFile } from "./wallets.ts";

/** A network of Tempo, which has no coin. */
export type TempoChainConfig = LapsingConfig & {
  family: "tempo";
  native: null;
  confirmations: number;
  tokens: readonly { currency: string; address: string; decimals: number }[];
  /** The currency of the token that fees are paid in. */
  feeCurrency: string;
  /** How long signed bytes are valid. */
  validForSeconds: number;
  /** Whether several payments go into one transaction. */
  packing: boolean;
};

/** Longer is never included by the network as it is today; what is not included lapses, and is made again. */
const VALID_FOR_SECONDS = 25;

/** As CHAINS writes it. */
export const tempoChain = z.strictObject({
  ...lapsingFields,
  chain: z.string().regex(/^eip155:[1-9][0-9]{0,15}$/, "wants the CAIP-2 name of a network of Tempo, such as eip155:4217"),
  gas: z.literal("token", "wants token: Tempo has no coin").optional(),
  confirmations,
  tokens: z.array(z.strictObject({ currency, address: evmAddress, decimals })).min(1, "wants at least the token that fees are paid in"),
  fee_currency: currency,
  valid_for_seconds: z.int("wants a whole number").min(5, "is below 5").max(3_600, "is above an hour").default(VALID_FOR_SECONDS),
  packing,
  treasury_destinations: z.array(evmAddress).default([]),
  wallets: z.array(walletInFile).min(1, NO_WALLET).optional(),
});
type WrittenTempoChain = z.infer<typeof tempoChain>;

/** @param path where a file that it names is */
export function toTempoConfig(written: WrittenTempoChain, path: (file: string) => string): TempoChainConfig & { wallets: NamedWallet[] } {
  return {
    family: "tempo",
    chain: written.chain,
    ...lapsingConfig(written),
    native: null,
    confirmations: written.confirmations,
    tokens: written.tokens,
    feeCurrency: written.fee_currency,
    validForSeconds: written.valid_for_seconds,
    packing: written.packing,
    wallets: (written.wallets ?? []).map((one) => toWallet(one, path)),
  };
}

/** Fees must be paid in a token that the service knows, so that they can be booked. */
export function reportFeeToken({ tokens, fee_currency }: WrittenTempoChain, place: string, report: (problem: string) => void): void {
  if (!tokens.some((token) => token.currency === fee_currency)) report(`${place}.fee_currency is ${fee_currency}, and no token has it.`);
}
