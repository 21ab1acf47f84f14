import { DEVELOPMENT_CHAINS, leastConfirmations } from "#domain/chain-id.ts";
import type { ChainConfig } from "./chains.ts";
import { reportUnsafeRail } from "./fiat-rail.ts";
import { isInTheClear, isLoopback, reportUnsafeNetwork } from "./live-network.ts";
import type { Variables } from "./variables.ts";
import type { NamedWallet } from "./wallets.ts";
import { weaknessOfKey, weaknessOfPassword } from "./weakness.ts";

/** Reports everything that makes these settings unsafe for other people's money (contract, part 8). */
export function reportUnsafe(
  variables: Variables,
  chains: readonly (ChainConfig & { wallets: readonly NamedWallet[] })[],
  report: (problem: string) => void,
): void {
  reportBaseUrl(variables.BASE_URL, report);
  for (const name of DATABASES) {
    if (variables[name] !== undefined) reportDatabase(name, variables[name], report);
  }
  for (const name of ["VAULT_KEYS", "PROOF_KEYS", "CALLBACK_KEYS"] as const) {
    for (const { id, key } of variables[name] ?? []) {
      const weakness = weaknessOfKey(key);
      if (weakness) report(`${name}: the key ${id} ${weakness}; make one with: openssl rand -base64 32`);
      if (/^sandbox/i.test(id)) report(`${name}: the key ${id} is a sandbox key.`);
    }
  }
  const weakToken = variables.METRICS_TOKEN === undefined ? null : weaknessOfPassword(variables.METRICS_TOKEN);
  if (weakToken) report(`METRICS_TOKEN ${weakToken}.`);
  if (variables.RATE_SOURCE === undefined) report("RATE_SOURCE is missing: live mode needs http.");
  if (variables.RATE_SOURCE === "fixed") report("RATE_SOURCE is fixed: fixed rates are for the sandbox; live mode needs http.");
  reportUnsafeRail(variables, report);
  if (variables.REQUIRE_TOTP_FOR_DECIDERS === "0")
    report("REQUIRE_TOTP_FOR_DECIDERS is 0: anyone who decides on other people's money must sign in with two factors; remove it.");
  if (variables.CALLBACK_ALLOWED_HOSTS !== undefined) report("CALLBACK_ALLOWED_HOSTS is set: exemptions are for the sandbox; remove it.");
  if (variables.CHAIN_RPC_URL !== undefined) report("CHAIN_RPC_URL is set: a development node is for the sandbox; name nodes in CHAINS.");
  if (variables.SANDBOX_CHAINS !== undefined) report("SANDBOX_CHAINS is set: local networks are for the sandbox; remove it.");
  if (variables.SANDBOX_HISTORY !== undefined) report("SANDBOX_HISTORY is set: history is made only in the sandbox; remove it.");
  if (variables.NEXT_DEV === "1") report("NEXT_DEV is set: live mode serves only the build.");
  reportUnsafeNetwork(variables, report);
  for (const [name, most] of Object.entries(MOST_PER_SECOND) as [keyof typeof MOST_PER_SECOND, number][]) {
    if (variables[name] === 0) report(`${name} is 0: live mode limits everybody.`);
    if (variables[name] > most)
      report(`${name} is above ${most}: that is effectively no limit; leave it out, or set what your callers need.`);
  }
  if (variables.DRIFT_TOLERANCE_BPS > WIDEST_DRIFT_BPS)
    report(`DRIFT_TOLERANCE_BPS is above ${WIDEST_DRIFT_BPS}: an approval would remain valid at a price that nobody saw.`);
  reportUnsignedApprovals(variables, report);
  const mailPassword = variables.SMTP_URL === undefined ? "" : safeDecode(new URL(variables.SMTP_URL).password);
  const weakMail = mailPassword === "" ? null : weaknessOfPassword(mailPassword);
  if (weakMail) report(`SMTP_URL: the password ${weakMail}.`);
  reportSilence(variables, report);
  if (variables.RATE_MAX_AGE_SECONDS > OLDEST_RATE_SECONDS)
    report(`RATE_MAX_AGE_SECONDS is above ${OLDEST_RATE_SECONDS}: a quote would be priced at a rate that the market has left.`);
  if (variables.VAULT_BINDS === "0") report("VAULT_BINDS is 0: a stored secret could be moved to another row unnoticed; remove it.");
  reportChains(chains, report);
}

/** Nodes, confirmations and signers that are unsafe for other people's money. */
export function reportChains(
  chains: readonly (ChainConfig & { wallets: readonly NamedWallet[] })[],
  report: (problem: string) => void,
): void {
  for (const chain of chains) reportChain(chain, report);
}

const DATABASES = [
  "DATABASE_URL",
  "WEB_DATABASE_URL",
  "WORKER_DATABASE_URL",
  "SIGNER_DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "DATABASE_READ_URL",
  "MIGRATION_DATABASE_URL",
] as const;

const MOST_PER_SECOND = {
  RATE_LIMIT_WRITES_PER_SECOND: 10_000,
  RATE_LIMIT_READS_PER_SECOND: 10_000,
  CONSOLE_CALLS_PER_SECOND: 1_000,
  CONSOLE_SIGN_INS_PER_SECOND: 100,
} as const;
const OLDEST_RATE_SECONDS = 600;
const WIDEST_DRIFT_BPS = 1_000;

function reportChain(settings: ChainConfig & { wallets: readonly NamedWallet[] }, report: (problem: string) => void): void {
  const { chain, rpcUrls, wallets } = settings;
  if (DEVELOPMENT_CHAINS.includes(chain)) report(`CHAINS: ${chain} is a development chain.`);
  if (wallets.some((wallet) => wallet.signer === "sandbox"))
    report(
      `CHAINS: ${chain} has a wallet with the sandbox's signer; use ${settings.family === "evm" ? "keystore, remote, pkcs11 or aws-kms" : "keystore"}.`,
    );
  reportConfirmations(settings, report);
  if (settings.family !== "evm" && settings.canary === null)
    report(
      `CHAINS: ${chain} has no canary: pay small amounts on a public network first, and write when, where and how it ended (docs/runbooks/start-live.md).`,
    );
  for (const url of rpcUrls) if (isInTheClear(url)) report(`CHAINS: the node ${new URL(url).host} of ${chain} must be https.`);
  for (const wallet of wallets) {
    const url = wallet.signer === "remote" ? wallet.url : wallet.signer === "aws-kms" ? wallet.endpoint : null;
    if (url !== null && isInTheClear(url)) report(`CHAINS: the signer ${new URL(url).host} of ${chain} must be https.`);
    else if (wallet.signer === "remote" && !knowsWhoAsks(wallet))
      report(`CHAINS: the signer ${new URL(wallet.url).host} of ${chain} signs for anyone who reaches it; set client_certificate.`);
  }
}

/** On some families the nodes themselves say which blocks are final. */
function reportConfirmations(settings: ChainConfig, report: (problem: string) => void): void {
  if (!("confirmations" in settings)) return;
  const { chain, confirmations } = settings;
  const least = leastConfirmations(chain);
  const isByTag = settings.family === "evm" && settings.useFinalizedTag;
  if (confirmations >= least || isByTag) return;
  const otherwise = settings.family === "evm" ? `${least} or more, or set use_finalized_tag` : `${least} or more`;
  report(
    `CHAINS: ${chain} calls a payment final after ${confirmations} confirmation${confirmations === 1 ? "" : "s"}; give it ${otherwise}.`,
  );
}

/** Whether a remote signer can distinguish us from others: by a certificate, by a password, or because only this machine reaches it. */
function knowsWhoAsks({ url, clientCertificate }: Extract<NamedWallet, { signer: "remote" }>): boolean {
  const { username, hostname } = new URL(url);
  return clientCertificate !== null || username !== "" || isLoopback(hostname);
}

/** Approvals that nobody signs. */
export function reportUnsignedApprovals({ SIGNED_APPROVALS }: Variables, report: (problem: string) => void): void {
  if (SIGNED_APPROVALS === null)
    report(
      "SIGNED_APPROVALS is off: an approval that nobody signed is only a row, and pays nothing in live mode; remove it, or name amounts.",
    );
}

/** A log that says nothing. */
export function reportSilence({ LOG_LEVEL }: Variables, report: (problem: string) => void): void {
  if (LOG_LEVEL === "silent" || LOG_LEVEL === "fatal")
    report(`LOG_LEVEL is ${LOG_LEVEL}: live mode logs errors at least; set error or a level below it.`);
}

/** The address under which people and partners reach the service. */
export function reportBaseUrl(baseUrl: string | undefined, report: (problem: string) => void): void {
  if (baseUrl === undefined) report("BASE_URL is missing: the https address under which partners reach the service.");
  else if (!baseUrl.startsWith("https://")) report("BASE_URL must be https.");
}

/** A database on another machine wants a verified certificate, and any a strong password. */
export function reportDatabase(name: string, url: string, report: (problem: string) => void): void {
  const { password, hostname, searchParams } = new URL(url);
  // A socket in the file system is guarded by the system's own users.
  if (hostname === "" || searchParams.get("host")?.startsWith("/")) return;
  const weakness = password === "" ? null : weaknessOfPassword(safeDecode(password));
  if (password === "" && !searchParams.has("sslcert"))
    report(`${name} has neither a password nor a client's certificate (sslcert, sslkey).`);
  else if (weakness) report(`${name}: the password ${weakness}.`);
  const isVerified = searchParams.has("sslcert") || (searchParams.get("sslmode") ?? searchParams.get("ssl")) === "verify-full";
  if (!isVerified && !isLoopback(hostname))
    report(`${name}: ${hostname} is another machine; add ?sslmode=verify-full (NODE_EXTRA_CA_CERTS names an authority of your own).`);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
