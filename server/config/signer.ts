import type { SigningThresholds } from "#domain/signed-approval.ts";
import type { SignerCap } from "#domain/signer-caps.ts";
import { type ChainConfig, reportMissingWallets } from "./chains.ts";
import { withCredentials } from "./credentials.ts";
import { databaseUrlsOf } from "./database-urls.ts";
import { readFingerprints } from "./fingerprints.ts";
import { reportBaseUrl, reportChains, reportDatabase, reportSilence, reportUnsignedApprovals } from "./live.ts";
import { readChains } from "./named-files.ts";
import { baseUrlOf, signedApprovalsOf } from "./signed-approvals.ts";
import { readCaps } from "./signer-caps.ts";
import { signingJournalOf } from "./signing-journal.ts";
import { VARIABLES, type Variables } from "./variables.ts";
import { withSecret } from "./wallet-secrets.ts";
import { secretsOf, type WalletConfig } from "./wallets.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The signer's settings: the wallets with what opens their keys, its journal, and its socket. */
export type SignerConfig = Pick<Variables, "MODE" | "LOG_LEVEL"> & {
  /** Whose passkeys sign decisions, and which decisions they must sign. */
  baseUrl: string;
  brand: string;
  signedApprovals: SigningThresholds | null;
  databaseUrl: string;
  databaseDirectUrl: string;
  databasePooled: boolean;
  databaseLayout: "whole" | "citus";
  chains: readonly (ChainConfig & { wallets: readonly WalletConfig[] })[];
  signingJournal: string;
  caps: readonly SignerCap[];
  /** Fingerprints of the rules that it accepts without a signature. */
  acceptedRules: ReadonlySet<string>;
  /** Fingerprints of the only passkeys that sign decisions; none: any that is registered. */
  trustedPasskeys: ReadonlySet<string>;
  socket: string;
};

/** The variables that the signer gets, besides what its wallets name. */
export const SIGNER_READS: readonly (keyof Variables)[] = [
  ...(["MODE", "DATA_DIR", "DATABASE_URL", "SIGNER_DATABASE_URL", "DATABASE_POOLER", "DATABASE_DIRECT_URL", "DATABASE_LAYOUT"] as const),
  ...([
    "CHAINS",
    "CHAINS_FILE",
    "SIGNING_JOURNAL",
    "SIGNER_SOCKET",
    "SIGNER_CAPS",
    "ACCEPTED_RULES",
    "TRUSTED_PASSKEYS",
    "SIGNED_APPROVALS",
    "BASE_URL",
    "PORT",
    "BRAND",
    "LOG_LEVEL",
  ] as const),
];

/** @returns the settings, and everything that is wrong with them in plain sentences */
export function parseForSigner(given: Environment): { config: SignerConfig; problems: string[] } {
  const problems: string[] = [];
  const report = (problem: string) => void problems.push(problem);
  const env = withCredentials(given, report);
  const set = Object.fromEntries(SIGNER_READS.flatMap((name) => (env[name]?.trim() ? [[name, env[name]] as const] : [])));
  const read = VARIABLES.safeParse(set);
  const faulty = new Set(read.success ? [] : read.error.issues.map((issue) => String(issue.path[0])));
  for (const issue of read.success ? [] : read.error.issues) report(`${String(issue.path[0])} ${issue.message}.`);
  // Faulty ones are skipped and the rest checked, so that one start reports everything that is wrong.
  const variables = read.data ?? VARIABLES.parse(Object.fromEntries(Object.entries(set).filter(([name]) => !faulty.has(name))));
  const live = variables.MODE === "live";
  const chains = readChains(variables, report);
  reportMissingWallets(chains, report);
  const { DATABASE_URL: databaseUrl = "", DATABASE_DIRECT_URL: directUrl = databaseUrl } = databaseUrlsOf("signer", set);
  const isFaulty = faulty.has("DATABASE_URL") || faulty.has("SIGNER_DATABASE_URL");
  if (databaseUrl === "") report("DATABASE_URL is missing.");
  if (variables.SIGNER_SOCKET === undefined) report("SIGNER_SOCKET is missing: the socket on which the signer listens.");
  if (live) {
    if (!faulty.has("BASE_URL")) reportBaseUrl(variables.BASE_URL, report);
    reportUnsignedApprovals(variables, report);
    reportSilence(variables, report);
    if (variables.SIGNING_JOURNAL === undefined) report("SIGNING_JOURNAL is missing: the file in which the signer keeps what it signed.");
    if (databaseUrl !== "" && !isFaulty) reportDatabase("DATABASE_URL", databaseUrl, report);
    reportChains(chains, report);
  }
  const config: SignerConfig = {
    MODE: variables.MODE,
    LOG_LEVEL: variables.LOG_LEVEL,
    baseUrl: baseUrlOf(variables),
    brand: variables.BRAND,
    signedApprovals: signedApprovalsOf(variables),
    databaseUrl,
    databaseDirectUrl: directUrl,
    databasePooled: variables.DATABASE_POOLER === "transaction",
    databaseLayout: variables.DATABASE_LAYOUT,
    chains: chains.map((chain) => ({ ...chain, wallets: chain.wallets.map((wallet) => withSecret(wallet, env, live, report)) })),
    signingJournal: signingJournalOf(variables),
    caps: readCaps(variables.SIGNER_CAPS, chains, report),
    acceptedRules: readFingerprints(variables.ACCEPTED_RULES, { name: "ACCEPTED_RULES", command: "unsigned-rules" }, report),
    trustedPasskeys: readFingerprints(variables.TRUSTED_PASSKEYS, { name: "TRUSTED_PASSKEYS", command: "operator-passkeys" }, report),
    socket: variables.SIGNER_SOCKET ?? "",
  };
  return { config, problems };
}

/** A worker has nothing that opens a key. In live mode it refuses what does. */
export function reportKeys(chains: ReturnType<typeof readChains>, env: Environment, report: (problem: string) => void): void {
  for (const name of new Set(chains.flatMap(({ wallets }) => wallets.flatMap(secretsOf))))
    if (env[name] !== undefined) report(`${name} is set: only the signer has what opens a key; start the worker without it.`);
}
