import { z } from "zod";
import { SOLANA_REFERENCE } from "#domain/chain-id.ts";
import { isSolanaKey } from "#domain/solana-address.ts";
import { DEFAULT_PRIORITY, type PriorityPolicy } from "#domain/solana-fees.ts";
import { MINT_POWERS, type MintPower } from "#domain/solana-mint.ts";
import { currency, type LapsingConfig, lapsingConfig, lapsingFields, NO_WALLET, packing } from "./chain-fields.ts";
import { type NamedWallet, toWallet, walletInFile } from "./wallets.ts";

/** A Solana cluster. */
export type SolanaChainConfig = LapsingConfig & {
  family: "solana";
  native: { currency: "SOL"; decimals: 9 };
  /** `accepts`: what the issuer can do, and the operator accepts. */
  tokens: readonly { currency: string; address: string; decimals: number; accepts: readonly MintPower[] }[];
  /** Which blocks count as final. */
  commitment: "finalized" | "confirmed";
  priority: PriorityPolicy;
  /** Whether several payments go into one transaction. */
  packing: boolean;
};

const whole = z.int("wants a whole number").min(0, "cannot be negative");

/** As CHAINS writes it. */
export const solanaChain = z.strictObject({
  ...lapsingFields,
  chain: z
    .string()
    .regex(SOLANA_REFERENCE, "wants the CAIP-2 name of a Solana cluster: solana: and the first 32 characters of its first block's hash"),
  tokens: z.array(
    z.strictObject({
      currency: currency.refine((code) => code !== "SOL", "is the coin, which the service counts anyway"),
      address: z.string().refine(isSolanaKey, "wants the address of a mint: 32 bytes in base 58"),
      // The amount of a token has 64 bits.
      decimals: z.int("wants a whole number").min(0, "cannot be negative").max(19, "is above 19"),
      accepts: z.array(z.enum(MINT_POWERS, `wants ${MINT_POWERS.join(", ")}`)).default([]),
    }),
  ),
  commitment: z.enum(["finalized", "confirmed"], "wants finalized or confirmed").default("finalized"),
  priority_fee: z
    .strictObject({
      percentile: whole.max(100, "is above 100").default(DEFAULT_PRIORITY.percentile),
      floor_micro_lamports: whole.default(Number(DEFAULT_PRIORITY.floorPrice)),
      cap_lamports: whole.default(Number(DEFAULT_PRIORITY.capLamports)),
    })
    .optional(),
  packing,
  treasury_destinations: z.array(z.string().refine(isSolanaKey, "wants the address of a wallet: 32 bytes in base 58")).default([]),
  wallets: z.array(walletInFile).min(1, NO_WALLET).optional(),
});
type WrittenSolanaChain = z.infer<typeof solanaChain>;

/** @param path where a file that it names is */
export function toSolanaConfig(
  written: WrittenSolanaChain,
  path: (file: string) => string,
): SolanaChainConfig & { wallets: NamedWallet[] } {
  const { priority_fee: fee } = written;
  return {
    family: "solana",
    chain: written.chain,
    ...lapsingConfig(written),
    native: { currency: "SOL", decimals: 9 },
    tokens: written.tokens,
    commitment: written.commitment,
    packing: written.packing,
    priority:
      fee === undefined
        ? DEFAULT_PRIORITY
        : { percentile: fee.percentile, floorPrice: BigInt(fee.floor_micro_lamports), capLamports: BigInt(fee.cap_lamports) },
    wallets: (written.wallets ?? []).map((one) => toWallet(one, path)),
  };
}
