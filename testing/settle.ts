import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Profile, writeProfile } from "#cli/profile.ts";
import { runSettle } from "#cli/run.ts";

/** The command line as a user sees it, within the test's own process. */

/** A port where nothing listens. */
export async function deadUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

export const TEST_PROFILE: Profile = {
  base_url: "http://127.0.0.1:9",
  brand: "Service",
  api_key: "key_test_of_the_command_line_tests_01",
  api_secret: "sec_test_of_the_command_line_tests_01",
  callback_secret: `whsec_${Buffer.from("callbacks of the command line's tests").toString("base64")}`,
  sandbox: null,
};

export type Ran = { code: number; stdout: string; stderr: string };
export type Running = { ended: Promise<number>; stdout(): string; stderr(): string; stop(): Promise<number> };

const folders: string[] = [];

/** A profile in a separate folder. */
export function keepProfile(changes: Partial<Profile> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "settle-"));
  folders.push(folder);
  const path = join(folder, "profile.json");
  writeProfile(path, { ...TEST_PROFILE, ...changes });
  return path;
}

/** To be called in `afterEach`. */
export function forgetProfiles(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function startSettle(argv: readonly string[], env: Record<string, string> = {}, isTTY = false): Running {
  const ending = new AbortController();
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({
    isTTY,
    write(text: string | Uint8Array) {
      said[name] += String(text);
      return true;
    },
  });
  const ended = runSettle(argv, { stdout: stream("stdout"), stderr: stream("stderr"), env, signal: ending.signal });
  const stop = () => {
    ending.abort();
    return ended;
  };
  return { ended, stdout: () => said.stdout, stderr: () => said.stderr, stop };
}

export async function settle(argv: readonly string[], env: Record<string, string> = {}, isTTY = false): Promise<Ran> {
  const running = startSettle(argv, env, isTTY);
  const code = await running.ended;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
