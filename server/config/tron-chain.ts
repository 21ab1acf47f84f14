import { z } from "zod";
import { isTronAddress } from "#domain/tron-address.ts";
import { currency, decimals, type LapsingConfig, lapsingConfig, lapsingFields, NO_WALLET } from "./chain-fields.ts";
import { type NamedWallet, toWallet, walletInFile } from "./wallets.ts";

/** A Tron network. */
export type TronChainConfig = LapsingConfig & {
  family: "tron";
  native: { currency: "TRX"; decimals: 6 };
  tokens: readonly { currency: string; address: string; decimals: number }[];
  /** What the nodes' provider knows us by (`TRON-PRO-API-KEY`); null: nothing. */
  apiKey: string | null;
};

/** As CHAINS writes it. */
export const tronChain = z.strictObject({
  ...lapsingFields,
  chain: z
    .string()
    .regex(/^tron:0x[0-9a-f]{8}$/, "wants the CAIP-2 name of a Tron network: tron:0x and the last 8 digits of its first block's hash"),
  tokens: z.array(
    z.strictObject({
      currency: currency.refine((code) => code !== "TRX", "is the coin, which the service counts anyway"),
      address: z.string().refine(isTronAddress, "wants a Tron address in base 58 with its checksum"),
      decimals,
    }),
  ),
  api_key: z.string().min(1).max(200).optional(),
  treasury_destinations: z.array(z.string().refine(isTronAddress, "wants a Tron address in base 58 with its checksum")).default([]),
  wallets: z.array(walletInFile).min(1, NO_WALLET).optional(),
});
type WrittenTronChain = z.infer<typeof tronChain>;

/** @param path where a file that it names is */
export function toTronConfig(written: WrittenTronChain, path: (file: string) => string): TronChainConfig & { wallets: NamedWallet[] } {
  return {
    family: "tron",
    chain: written.chain,
    ...lapsingConfig(written),
    native: { currency: "TRX", decimals: 6 },
    tokens: written.tokens,
    apiKey: written.api_key ?? null,
    wallets: (written.wallets ?? []).map((one) => toWallet(one, path)),
  };
}
