import { join } from "node:path";
import type { OtherChain } from "#sandbox/chain/other-families.ts";
import { BLOCKED_WALLET, type TestTokens } from "#sandbox/chain/tokens.ts";
import { writeWhole } from "#sandbox/data-directory.ts";
import { NAMED_WALLET } from "#sandbox/screening.ts";
import type { DemoSecrets } from "#sandbox/seed/demo.ts";
import { say } from "#server/process/terminal.ts";

export type Announcement = {
  directory: string;
  baseUrl: string;
  demo: DemoSecrets;
  railSecret: string;
  chain: { chain: string; rpcUrl: string; tokens: TestTokens };
  /** Of other families. */
  others: readonly OtherChain[];
  treasury: string;
  receiversUrl: string;
};

export function sandboxFile(directory: string): string {
  return join(directory, "sandbox.json");
}

/** Everything that a program needs to use this sandbox (contract, part 8). The file appears when the sandbox is ready. */
export function writeSandboxFile(announcement: Announcement): void {
  const { demo, chain, others } = announcement;
  const content = {
    base_url: announcement.baseUrl,
    console_url: `${announcement.baseUrl}/console`,
    partner: partner(demo.partner),
    second_partner: partner(demo.secondPartner),
    operator: { api_key: demo.operator.apiKey },
    users: demo.users,
    chains: [chain, ...others].map((each) => ({ chain: each.chain, rpc_url: each.rpcUrl, tokens: each.tokens })),
    treasury: { address: announcement.treasury },
    outcomes: { blocked_wallet: BLOCKED_WALLET, named_wallet: NAMED_WALLET },
    receivers: { url: announcement.receiversUrl },
    rail: { secret: announcement.railSecret },
  };
  writeWhole(sandboxFile(announcement.directory), `${JSON.stringify(content, null, 2)}\n`);
}

function partner(secrets: DemoSecrets["partner"]) {
  return { id: secrets.id, api_key: secrets.apiKey, api_secret: secrets.apiSecret, callback_secret: secrets.callbackSecret };
}

/** The same for a person: a short table. */
export function printTable(announcement: Announcement, seconds: number): void {
  const { demo } = announcement;
  const rows: [string, string][] = [
    ["Console", `${announcement.baseUrl}/console`],
    ["API", `${announcement.baseUrl}/api/v1`],
    ["Documentation", `${announcement.baseUrl}/docs`],
    ...[announcement.chain, ...announcement.others].map(({ chain, rpcUrl }): [string, string] => ["Chain", `${chain} at ${rpcUrl}`]),
    ["", ""],
    ["Partner's API key", demo.partner.apiKey],
    ["Partner's API secret", demo.partner.apiSecret],
    ["Operator's API key", demo.operator.apiKey],
    ...Object.entries(demo.users).map(([role, user]): [string, string] => [`Log-in ${role}`, `${user.email}  ${user.password}`]),
    ["", ""],
    ["All of it", sandboxFile(announcement.directory)],
    ["Logs", join(announcement.directory, "logs")],
  ];
  say(`\nThe sandbox is ready after ${seconds.toFixed(1)} s.\n`);
  for (const [name, value] of rows) say(name === "" ? "" : `  ${name.padEnd(22)}${value}`);
  say("\nCtrl-C stops it; the next start has the same data.");
}
