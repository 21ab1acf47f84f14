import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { COIN_AS_TOKEN, GAS_KINDS, type GasKind, gasOf, KNOWN_GAS } from "#domain/gas.ts";
import { ISSUER_QUESTIONS, type IssuerQuestion } from "#domain/screening.ts";
import { evmAddress, type NamedWallet, toWallet, wallet, webUrl } from "./wallets.ts";
import { placeOf, plainIssue } from "./weakness.ts";

/** A chain that the service pays on, without what only a signer needs. */
export type ChainConfig = {
  /** CAIP-2. */
  chain: string;
  name: string;
  /** At least one; the first is asked first. */
  rpcUrls: readonly string[];
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
  /** The amount, in whole units of a currency, from which two nodes must agree that a payment is final, where two are configured. */
  twoNodesFrom?: Readonly<Record<string, number>> | undefined;
  /** How the chain charges for a transaction's data besides gas; omitted: known from the chain's id. */
  dataFee?: "op-stack" | "none" | undefined;
  /** The block explorer, without a trailing slash. */
  explorerUrl: string | null;
  /** Whether several payments go into one transaction, by the packing contract. */
  packing?: boolean | undefined;
  /** Where the operator may take crypto out of the treasury's wallets. Of these settings, the signer's decide. */
  treasuryDestinations?: readonly string[] | undefined;
};

const currency = z.string().regex(/^[A-Z0-9]{2,12}$/, "wants a currency code in capitals");
const decimals = z.int("wants a whole number").min(0, "cannot be negative").max(36, "is above 36");

const blocklist = z.enum([...ISSUER_QUESTIONS, "none"], `wants ${ISSUER_QUESTIONS.join(", ")} or none`);

const NO_WALLET = "wants at least one treasury wallet";

const chain = z.strictObject({
  chain: z.string().regex(/^eip155:[1-9][0-9]{0,15}$/, "wants the CAIP-2 name of an EVM chain, such as eip155:1"),
  name: z.string().min(1).max(60),
  rpc_urls: z.array(webUrl).min(1, "wants at least one URL"),
  confirmations: z.int("wants a whole number").min(1, "wants at least one").max(100_000, "is above 100000"),
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
  two_nodes_from: z.record(currency, z.int("wants a whole number of units").min(0, "cannot be negative")).optional(),
  data_fee: z.enum(["op-stack", "none"], "wants op-stack or none").optional(),
  explorer_url: webUrl.optional(),
  packing: z.boolean("wants true or false").default(false),
  treasury_destinations: z.array(evmAddress).default([]),
});
type WrittenChain = z.infer<typeof chain>;

/** The configured chains. Every fault is reported with its place: `CHAINS[0].tokens[1].decimals wants …`. */
export function parseChains(
  text: string,
  baseFolder: string,
  report: (problem: string) => void,
): (ChainConfig & { wallets: NamedWallet[] })[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    report("CHAINS is not valid JSON.");
    return [];
  }
  const parsed = z.array(chain, "wants a JSON array of chains").min(1, "names no chain").safeParse(json);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) report(`CHAINS${placeOf(issue.path)} ${plainIssue(issue)}.`);
    return [];
  }
  reportDoubles(parsed.data, report);
  reportGas(parsed.data, report);
  return parsed.data.map((written) => toConfig(written, baseFolder));
}

/** What only a worker needs: the signers. */
export function reportMissingWallets(chains: readonly { wallets: readonly NamedWallet[] }[], report: (problem: string) => void): void {
  for (const [index, { wallets }] of chains.entries()) if (wallets.length === 0) report(`CHAINS[${index}].wallets ${NO_WALLET}.`);
}

function toConfig(written: WrittenChain, baseFolder: string): ChainConfig & { wallets: NamedWallet[] } {
  const path = (file: string) => (isAbsolute(file) ? file : resolve(baseFolder, file));
  return {
    chain: written.chain,
    name: written.name,
    rpcUrls: written.rpc_urls,
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
    twoNodesFrom: written.two_nodes_from,
    dataFee: written.data_fee,
    explorerUrl: written.explorer_url?.replace(/\/+$/, "") ?? null,
    packing: written.packing,
    treasuryDestinations: written.treasury_destinations,
    wallets: (written.wallets ?? []).map((one) => toWallet(one, path)),
  };
}

function reportDoubles(chains: readonly WrittenChain[], report: (problem: string) => void): void {
  const seen = new Set<string>();
  for (const { chain: name, native, tokens } of chains) {
    if (seen.has(name)) report(`CHAINS names ${name} twice.`);
    seen.add(name);
    const currencies = [native.currency, ...tokens.map((token) => token.currency)];
    for (const double of new Set(currencies.filter((code, index) => currencies.indexOf(code) !== index))) {
      report(`CHAINS names ${double} on ${name} twice.`);
    }
  }
}

/** Refuses chains whose fees the ledger cannot book, and a coin that is counted a second time as a token. */
function reportGas(chains: readonly WrittenChain[], report: (problem: string) => void): void {
  for (const [index, { chain: name, gas, native, tokens }] of chains.entries()) {
    const known = KNOWN_GAS.get(name);
    if (known !== undefined && gas !== undefined && gas !== known.gas)
      report(`CHAINS[${index}].gas is ${gas}, and ${known.name} (${name}) has ${known.gas}: leave it out.`);
    else if (gasOf(name, gas) === "token")
      report(
        `CHAINS names ${known === undefined ? name : `${name} (${known.name})`}, whose fees are paid in a token: this is not supported yet.`,
      );
    if (gasOf(name, gas) !== "same-as-token") continue;
    const double = tokens.findIndex(({ address }) => address.toLowerCase() === COIN_AS_TOKEN);
    if (double !== -1)
      report(
        `CHAINS[${index}].tokens[${double}] is the balance of the coin ${native.currency} counted a second time: leave the token out.`,
      );
  }
}
