import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Profile, writeProfile } from "#cli/profile.ts";
import { ROOT } from "#scripts/suites.ts";
import { gather } from "#testing/stage/child.ts";
import { BASE_URL, sandbox } from "./running-sandbox.ts";

/** The command line as a separate process, as `npx settle` starts it. */

export type Ran = { code: number; stdout: string; stderr: string };
export type Started = { ended: Promise<Ran>; stdout(): string; stderr(): string; interrupt(): void };

const folder = mkdtempSync(join(tmpdir(), "settle-stories-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let made = 0;

/** A path for a profile, unused so far. */
export function freshPath(): string {
  made += 1;
  return join(folder, `profile-${made}.json`);
}

/** The demo partner's, or with a mistake in it. */
export function profileWith(changes: Partial<Profile> = {}): string {
  const path = freshPath();
  const { api_key, api_secret, callback_secret } = sandbox.partner;
  const { blocked_wallet, named_wallet } = sandbox.outcomes;
  const places = { operator_key: sandbox.operator.api_key, receivers_url: sandbox.receivers.url, blocked_wallet, named_wallet };
  writeProfile(path, { base_url: BASE_URL, brand: "Service", api_key, api_secret, callback_secret, sandbox: places, ...changes });
  return path;
}

/** `node`: what Node itself is started with. */
export function startSettle(args: readonly string[], profile: string, node: readonly string[] = []): Started {
  const child = spawn(process.execPath, [...node, join(ROOT, "cli", "main.ts"), ...args], {
    env: { ...process.env, NODE_OPTIONS: "", SETTLE_PROFILE: profile },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { stdout, stderr, exit } = gather(child);
  const ended = exit.then((code): Ran => ({ code: Number.isInteger(code) ? Number(code) : -1, stdout: stdout(), stderr: stderr() }));
  return { ended, stdout, stderr, interrupt: () => void child.kill("SIGINT") };
}

export async function settle(args: readonly string[], profile: string, node: readonly string[] = []): Promise<Ran> {
  return await startSettle(args, profile, node).ended;
}

/** The one document that `--json` prints. */
export function outputOf(ran: Ran): Record<string, unknown> {
  const lines = ran.stdout.trim().split("\n");
  if (lines.length !== 1) throw new Error(`not one document: ${ran.stdout}\n${ran.stderr}`);
  return JSON.parse(lines[0] ?? "");
}

export const readText = (path: string): string => readFileSync(path, "utf8");
