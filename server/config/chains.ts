import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { COIN_AS_TOKEN, GAS_KINDS, type GasKind, gasOf, KNOWN_GAS } from "#domain/gas.ts";
import { ISSUER_QUESTIONS, type IssuerQuestion } from "#domain/screening.ts";
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
};

/** A wallet's key in another place that needs no secret from here. */
type KeyElsewhere =
  | { signer: "sandbox"; keyFile: string }
  | {
      signer: "remote";
      url: string;
      address: string;
      clientCertificate: { certFile: string; keyFile: string; caFile: string | null } | null;
    }
  | { signer: "aws-kms"; key: string; region: string; address: string; endpoint: string | null };
/** The key with that label in the token with that label, through the maker's library. */
type KeyInToken = { signer: "pkcs11"; library: string; token: string; key: string; address: string };

/** A treasury wallet and its signer. File paths are absolute. */
export type WalletConfig =
  | KeyElsewhere
  | { signer: "keystore"; file: string; password: string }
  | (KeyInToken & { pin: string /** The part of the environment that the library sees. */; env: Readonly<Record<string, string>> });

/** As written: the password of a keystore and the PIN of a token are named, not given. */
export type NamedWallet =
  | KeyElsewhere
  | { signer: "keystore"; file: string; passwordEnv: string }
  | (KeyInToken & { pinEnv: string; libraryEnv: readonly string[] });

const currency = z.string().regex(/^[A-Z0-9]{2,12}$/, "wants a currency code in capitals");
const decimals = z.int("wants a whole number").min(0, "cannot be negative").max(36, "is above 36");
const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "wants an address of 0x and 40 hexadecimal digits");
const webUrl = z.url({ protocol: /^https?$/, error: "wants an http or https URL" });

const variable = z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/, "wants the name of an environment variable");
const label = z.string().min(1, "wants a label").max(32, "is longer than 32 characters");

const wallet = z.discriminatedUnion(
  "signer",
  [
    z.strictObject({ signer: z.literal("sandbox"), key_file: z.string().min(1) }),
    z.strictObject({
      signer: z.literal("keystore"),
      file: z.string().min(1),
      password_env: z.string().regex(/^[A-Z][A-Z0-9_]*$/, "wants the name of an environment variable"),
    }),
    z.strictObject({
      signer: z.literal("remote"),
      url: webUrl,
      address: evmAddress,
      client_certificate: z
        .strictObject({ cert_file: z.string().min(1), key_file: z.string().min(1), ca_file: z.string().min(1).optional() })
        .optional(),
    }),
    z.strictObject({
      signer: z.literal("pkcs11"),
      library: z.string().min(1),
      token: label,
      key: z.string().min(1).max(255),
      pin_env: variable,
      address: evmAddress,
      library_env: z.array(variable).default([]),
    }),
    z.strictObject({
      signer: z.literal("aws-kms"),
      key: z.string().regex(/^[!-~]{1,2048}$/, "wants the id, ARN or alias of a key"),
      region: z.string().regex(/^[a-z]{2}(-[a-z0-9]+)+$/, "wants the name of a region, such as eu-central-1"),
      address: evmAddress,
      endpoint: webUrl.optional(),
    }),
  ],
  "wants keystore, remote, pkcs11 or aws-kms, in the sandbox also sandbox",
);

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
});
type WrittenChain = z.infer<typeof chain>;
type WrittenWallet = z.infer<typeof wallet>;

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
    wallets: (written.wallets ?? []).map((one) => toWallet(one, path)),
  };
}

function toWallet(one: WrittenWallet, path: (file: string) => string): NamedWallet {
  switch (one.signer) {
    case "sandbox":
      return { signer: "sandbox", keyFile: path(one.key_file) };
    case "keystore":
      return { signer: "keystore", file: path(one.file), passwordEnv: one.password_env };
    case "pkcs11": {
      const { pin_env: pinEnv, library_env: libraryEnv, library, ...rest } = one;
      return { ...rest, library: path(library), pinEnv, libraryEnv };
    }
    case "aws-kms":
      return { ...one, endpoint: one.endpoint ?? null };
    case "remote": {
      const { client_certificate: files, ...rest } = one;
      const caFile = files?.ca_file === undefined ? null : path(files.ca_file);
      return {
        ...rest,
        clientCertificate: files === undefined ? null : { certFile: path(files.cert_file), keyFile: path(files.key_file), caFile },
      };
    }
  }
}

/** The variables that a wallet's settings name and that open its key. */
export function secretsOf(wallet: NamedWallet): string[] {
  if (wallet.signer === "keystore") return [wallet.passwordEnv];
  if (wallet.signer === "pkcs11") return [wallet.pinEnv];
  return wallet.signer === "aws-kms" ? [...AWS_SECRETS] : [];
}

/** What opens an account of AWS, as its own tools name it. */
const AWS_SECRETS = [
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_WEB_IDENTITY_TOKEN_FILE",
  "AWS_CONTAINER_CREDENTIALS_FULL_URI",
  "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
] as const;

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
