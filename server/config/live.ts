import ipaddr from "ipaddr.js";
import { DEVELOPMENT_CHAINS, TEST_CHAINS } from "#domain/chain-id.ts";
import type { ChainConfig, NamedWallet } from "./chains.ts";
import { reportUnsafeRail } from "./fiat-rail.ts";
import type { Variables } from "./variables.ts";
import { weaknessOfKey, weaknessOfPassword } from "./weakness.ts";

/** Tells through `report` all that keeps these settings from being safe with other people's money (contract, part 8). */
export function reportUnsafe(
  variables: Variables,
  chains: readonly (ChainConfig & { wallets: readonly NamedWallet[] })[],
  report: (problem: string) => void,
): void {
  reportBaseUrl(variables.BASE_URL, report);
  for (const name of ["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_READ_URL", "MIGRATION_DATABASE_URL"] as const) {
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
  if (variables.RATE_SOURCE === undefined) report("RATE_SOURCE is missing: live mode wants http.");
  if (variables.RATE_SOURCE === "fixed") report("RATE_SOURCE is fixed: fixed rates are for the sandbox; live mode wants http.");
  reportUnsafeRail(variables, report);
  if (variables.REQUIRE_TOTP_FOR_DECIDERS === "0")
    report("REQUIRE_TOTP_FOR_DECIDERS is 0: whoever decides on other people's money signs in with two factors; remove it.");
  if (variables.CALLBACK_ALLOWED_HOSTS !== undefined) report("CALLBACK_ALLOWED_HOSTS is set: exemptions are for the sandbox; remove it.");
  for (const range of variables.CALLBACK_ALLOWED_NETWORKS) {
    const covered = NEVER_A_RECEIVER.find((address) => covers(range, address));
    if (covered)
      report(`CALLBACK_ALLOWED_NETWORKS: ${range} holds ${covered}, which is no partner's; name the networks of your receivers alone.`);
  }
  if (variables.CHAIN_RPC_URL !== undefined) report("CHAIN_RPC_URL is set: a development node is for the sandbox; name nodes in CHAINS.");
  if (variables.SANDBOX_HISTORY !== undefined) report("SANDBOX_HISTORY is set: history is made in the sandbox alone; remove it.");
  if (variables.NEXT_DEV === "1") report("NEXT_DEV is set: live mode serves what was built.");
  for (const range of variables.TRUSTED_PROXIES) {
    if (isWide(range)) report(`TRUSTED_PROXIES: ${range} trusts too many addresses; name your own proxies.`);
  }
  for (const name of UNLIMITED_AT_ZERO) {
    if (variables[name] === 0) report(`${name} is 0: live mode limits everybody.`);
  }
  if (variables.DRIFT_TOLERANCE_BPS > WIDEST_DRIFT_BPS)
    report(`DRIFT_TOLERANCE_BPS is above ${WIDEST_DRIFT_BPS}: an approval would stand at a price that nobody saw.`);
  const mailPassword = variables.SMTP_URL === undefined ? "" : safeDecode(new URL(variables.SMTP_URL).password);
  const weakMail = mailPassword === "" ? null : weaknessOfPassword(mailPassword);
  if (weakMail) report(`SMTP_URL: the password ${weakMail}.`);
  if (variables.LOG_LEVEL === "silent") report("LOG_LEVEL is silent: live mode keeps a log.");
  for (const chain of chains) reportChain(chain, report);
}

const UNLIMITED_AT_ZERO = [
  "RATE_LIMIT_WRITES_PER_SECOND",
  "RATE_LIMIT_READS_PER_SECOND",
  "CONSOLE_CALLS_PER_SECOND",
  "CONSOLE_SIGN_INS_PER_SECOND",
] as const;
const WIDEST_DRIFT_BPS = 1_000;

function reportChain(told: ChainConfig & { wallets: readonly NamedWallet[] }, report: (problem: string) => void): void {
  const { chain, rpcUrls, wallets, confirmations, useFinalizedTag } = told;
  if (DEVELOPMENT_CHAINS.includes(chain)) report(`CHAINS: ${chain} is a development chain.`);
  if (wallets.some((wallet) => wallet.signer === "sandbox"))
    report(`CHAINS: ${chain} has a wallet with the sandbox's signer; use keystore, remote, pkcs11 or aws-kms.`);
  if (confirmations < 2 && !useFinalizedTag && !TEST_CHAINS.has(chain))
    report(`CHAINS: ${chain} calls a payment final after 1 confirmation; any reorganisation would undo it.`);
  for (const url of rpcUrls) if (isInTheClear(url)) report(`CHAINS: the node ${new URL(url).host} of ${chain} must be https.`);
  for (const wallet of wallets) {
    const url = wallet.signer === "remote" ? wallet.url : wallet.signer === "aws-kms" ? wallet.endpoint : null;
    if (url !== null && isInTheClear(url)) report(`CHAINS: the signer ${new URL(url).host} of ${chain} must be https.`);
  }
}

/** Whether others could read and change what is said there. */
function isInTheClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol !== "https:" && !isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  return address === "localhost" || (ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback");
}

/** Networks wider than anybody's own proxies: above /8, for IPv6 above /16, also where the first is written as the second. */
function isWide(range: string): boolean {
  if (!range.includes("/")) return false;
  const [network, bits] = ipaddr.parseCIDR(range);
  if (network instanceof ipaddr.IPv4) return bits < 8;
  return bits < (network.isIPv4MappedAddress() ? 96 + 8 : 16);
}

/** This machine, and where clouds hand out a machine's own credentials. */
const NEVER_A_RECEIVER = ["127.0.0.1", "0.0.0.0", "::1", "169.254.169.254", "fd00:ec2::254", "fe80::1"];

function covers(range: string, address: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(range);
  const parsed = ipaddr.parse(address);
  return network.kind() === parsed.kind() && parsed.match(network, bits);
}

function reportBaseUrl(baseUrl: string | undefined, report: (problem: string) => void): void {
  if (baseUrl === undefined) report("BASE_URL is missing: the https address under which partners reach the service.");
  else if (!baseUrl.startsWith("https://")) report("BASE_URL must be https.");
}

function reportDatabase(name: string, url: string, report: (problem: string) => void): void {
  const { password, hostname, searchParams } = new URL(url);
  // A socket in the file system is guarded by the system's own users.
  if (hostname === "" || searchParams.get("host")?.startsWith("/")) return;
  const weakness = password === "" ? null : weaknessOfPassword(safeDecode(password));
  if (password === "") report(`${name} has no password.`);
  else if (weakness) report(`${name}: the password ${weakness}.`);
  const isVerified = (searchParams.get("sslmode") ?? searchParams.get("ssl")) === "verify-full";
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
