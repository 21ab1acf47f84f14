import { z } from "zod";
import { MEMO_CONTENTS, type MemoContent } from "#domain/payment-reference.ts";
import { webUrl } from "./wallets.ts";

/** What chains of every family have in their settings. */

export const NO_WALLET = "wants at least one treasury wallet";

export const currency = z.string().regex(/^[A-Z0-9]{2,12}$/, "wants a currency code in capitals");
export const decimals = z.int("wants a whole number").min(0, "cannot be negative").max(36, "is above 36");
export const confirmations = z.int("wants a whole number").min(1, "wants at least one").max(100_000, "is above 100000");

export const packing = z.boolean("wants true or false").default(false);

export const commonFields = {
  name: z.string().min(1).max(60),
  rpc_urls: z.array(webUrl).min(1, "wants at least one URL"),
  two_nodes_from: z.record(currency, z.int("wants a whole number of units").min(0, "cannot be negative")).optional(),
  explorer_url: webUrl.optional(),
};

/** What chains of Tempo, Solana and Tron have besides. */
export const lapsingFields = {
  ...commonFields,
  // When and where small payments were tried on a public network, and how it ended: people write it, and live mode wants it.
  // What the memo of a payment says to everybody who reads the chain.
  memo: z.enum(MEMO_CONTENTS, `wants ${MEMO_CONTENTS.join(" or ")}`).default("reference"),
  canary: z.string().min(8, "wants when and where it was tried, and how it ended").max(200).optional(),
};

/** What chains of Tempo, Solana and Tron have besides, as the service has it. */
export type LapsingConfig = CommonConfig & {
  memo: MemoContent;
  /** Where the operator may take crypto out of the treasury's wallets. */
  treasuryDestinations: readonly string[];
};

type CommonFields = {
  canary?: string | undefined;
  name: string;
  rpc_urls: string[];
  two_nodes_from?: Record<string, number> | undefined;
  explorer_url?: string | undefined;
};

/** The same for every family. */
export type CommonConfig = {
  /** CAIP-2. */
  chain: string;
  name: string;
  /** At least one; the first is asked first. */
  rpcUrls: readonly string[];
  /** The amount, in whole units of a currency, from which two nodes must agree that a payment is final, where two are configured. */
  twoNodesFrom?: Readonly<Record<string, number>> | undefined;
  /** The block explorer, without a trailing slash. */
  explorerUrl: string | null;
  /** What was tried there before, as people have written it; null: nothing is written. Live mode wants it where payments lapse. */
  canary: string | null;
};

/** The common settings, as the service has them. */
export function commonConfig(written: CommonFields): Omit<CommonConfig, "chain"> {
  return {
    name: written.name,
    rpcUrls: written.rpc_urls,
    twoNodesFrom: written.two_nodes_from,
    explorerUrl: written.explorer_url?.replace(/\/+$/, "") ?? null,
    canary: written.canary ?? null,
  };
}

/** The settings of a chain whose payments lapse. */
export function lapsingConfig(
  written: CommonFields & { memo: MemoContent; treasury_destinations: readonly string[] },
): Omit<LapsingConfig, "chain"> {
  return { ...commonConfig(written), memo: written.memo, treasuryDestinations: written.treasury_destinations };
}
