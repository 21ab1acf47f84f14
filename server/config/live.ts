import ipaddr from "ipaddr.js";
import { DEVELOPMENT_CHAINS } from "#domain/chain-id.ts";
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
  for (const name of ["DATABASE_URL", "DATABASE_DIRECT_URL", "MIGRATION_DATABASE_URL"] as const) {
    if (variables[name] !== undefined) reportDatabasePassword(name, variables[name], report);
  }
  for (const { id, key } of variables.VAULT_KEYS ?? []) {
    const weakness = weaknessOfKey(key);
    if (weakness) report(`VAULT_KEYS: the key ${id} ${weakness}; make one with: openssl rand -base64 32`);
    if (/^sandbox/i.test(id)) report(`VAULT_KEYS: the key ${id} is a sandbox key.`);
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
    if (range.includes("/") && ipaddr.parseCIDR(range)[1] === 0)
      report(`TRUSTED_PROXIES: ${range} trusts everybody; name your own proxies.`);
  }
  for (const { chain, wallets } of chains) {
    if (DEVELOPMENT_CHAINS.includes(chain)) report(`CHAINS: ${chain} is a development chain.`);
    if (wallets.some((wallet) => wallet.signer === "sandbox"))
      report(`CHAINS: ${chain} has a wallet with the sandbox's signer; use keystore or remote.`);
  }
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

function reportDatabasePassword(name: string, url: string, report: (problem: string) => void): void {
  const { password, hostname, searchParams } = new URL(url);
  // A socket in the file system is guarded by the system's own users.
  if (hostname === "" || searchParams.get("host")?.startsWith("/")) return;
  const weakness = password === "" ? null : weaknessOfPassword(safeDecode(password));
  if (password === "") report(`${name} has no password.`);
  else if (weakness) report(`${name}: the password ${weakness}.`);
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
