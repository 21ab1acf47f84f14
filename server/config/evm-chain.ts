import { z } from "zod";
import { COIN_AS_TOKEN, GAS_KINDS, type GasKind, gasOf, KNOWN_GAS } from "#domain/gas.ts";
import { ISSUER_QUESTIONS, type IssuerQuestion } from "#domain/screening.ts";
import { type CommonConfig, commonConfig, commonFields, confirmations, currency, decimals, NO_WALLET, packing } from "./chain-fields.ts";
import { evmAddress, type NamedWallet, toWallet, wallet } from "./wallets.ts";

/** An EVM chain that the service pays on, without what only a signer needs. */
export type EvmChainConfig = CommonConfig & {
  family: "evm";
  confirmations: number;
  native: { currency: string; decimals: number };
  /** What its fees are paid in. */
  gas: GasKind;
  /** `blocklist`: the function of its issuer's blocklist; omitted: found by trying. */
  tokens: readonly { currency: string; address: string; decimals: number; blocklist?: IssuerQuestion | "none" | undefined }[];
  /** The contract that answers `isSanctioned(address)`; null: none. */
  sanctionsOracle: string | null;
  /** No transaction pays more than this for gas. */
  maxFeePerGasGwei: number;
  /** The most that one wallet spends on fees within an hour, in whole coins; omitted: any amount. */
  feeBudgetPerHour?: number | undefined;
  /** The largest fee, in per cent of the payment, and what one coin is worth for that, in units of a currency. */
  maxFeePercent?: number | undefined;
  coinValue?: Readonly<Record<string, number>> | undefined;
  /** A transaction that is not mined after this time is sent again at a higher fee. */
  bumpAfterSeconds: number;
  /** Whether the node's `finalized` block decides instead of the number of confirmations. */
  useFinalizedTag: boolean;
  /** How the chain charges for a transaction's data besides gas; omitted: known from the chain's id. */
  dataFee?: "op-stack" | "none" | undefined;
  /** Whether several payments go into one transaction, by the packing contract. */
  packing?: boolean | undefined;
  /** Where the operator may take crypto out of the treasury's wallets. Of these settings, the signer's decide. */
  treasuryDestinations?: readonly string[] | undefined;
};

const blocklist = z.enum([...ISSUER_QUESTIONS, "none"], `wants ${ISSUER_QUESTIONS.join(", ")} or none`);

/** As CHAINS writes it. */
export const evmChain = z.strictObject({
  ...commonFields,
  chain: z.string().regex(/^eip155:[1-9][0-9]{0,15}$/, "wants the CAIP-2 name of a supported chain, such as eip155:1"),
  confirmations,
  native: z.strictObject({ currency, decimals }),
  gas: z.enum(GAS_KINDS, "wants coin, token or same-as-token").optional(),
  tokens: z.array(z.strictObject({ currency, address: evmAddress, decimals, blocklist: blocklist.optional() })),
  sanctions_oracle: evmAddress.optional(),
  // A process that signs nothing need not know the signers.
  wallets: z.array(wallet).min(1, NO_WALLET).optional(),
  max_fee_per_gas_gwei: z.number().positive("wants a number above zero").default(500),
  fee_budget_per_hour: z.number().positive("wants a number of coins above zero").optional(),
  max_fee_percent: z.number().positive("wants a number above zero").max(1_000, "is above 1000").optional(),
  coin_value: z.record(currency, z.number().positive("wants a number above zero")).optional(),
  bump_after_seconds: z.int("wants a whole number").min(1, "wants at least one").max(86_400, "is above a day").default(60),
  use_finalized_tag: z.boolean().default(false),
  data_fee: z.enum(["op-stack", "none"], "wants op-stack or none").optional(),
  packing,
  treasury_destinations: z.array(evmAddress).default([]),
});
type WrittenEvmChain = z.infer<typeof evmChain>;

/** @param path where a file that it names is */
export function toEvmConfig(written: WrittenEvmChain, path: (file: string) => string): EvmChainConfig & { wallets: NamedWallet[] } {
  return {
    family: "evm",
    chain: written.chain,
    ...commonConfig(written),
    confirmations: written.confirmations,
    native: written.native,
    gas: gasOf(written.chain, written.gas),
    tokens: written.tokens,
    sanctionsOracle: written.sanctions_oracle ?? null,
    maxFeePerGasGwei: written.max_fee_per_gas_gwei,
    feeBudgetPerHour: written.fee_budget_per_hour,
    maxFeePercent: written.max_fee_percent,
    coinValue: written.coin_value,
    bumpAfterSeconds: written.bump_after_seconds,
    useFinalizedTag: written.use_finalized_tag,
    dataFee: written.data_fee,
    packing: written.packing,
    treasuryDestinations: written.treasury_destinations,
    wallets: (written.wallets ?? []).map((one) => toWallet(one, path)),
  };
}

/** Refuses a kind of gas that the chain does not have, and a coin that is counted a second time as a token. */
export function reportGas({ chain, gas, native, tokens }: WrittenEvmChain, place: string, report: (problem: string) => void): void {
  const known = KNOWN_GAS.get(chain);
  if (known !== undefined && gas !== undefined && gas !== known.gas)
    report(`${place}.gas is ${gas}, and ${known.name} (${chain}) has ${known.gas}: leave it out.`);
  if (gasOf(chain, gas) !== "same-as-token") return;
  const double = tokens.findIndex(({ address }) => address.toLowerCase() === COIN_AS_TOKEN);
  if (double !== -1)
    report(`${place}.tokens[${double}] is the balance of the coin ${native.currency} counted a second time: leave the token out.`);
}
