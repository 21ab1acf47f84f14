import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { forgetProfiles, keepProfile } from "#testing/settle.ts";

/** `npx settle listen &`: two processes, of which anyone who ends it sees one. */

const SETTLE = join(import.meta.dirname, "settle.mjs");
afterEach(forgetProfiles);

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  const outcome = await once(server, "listening").then(
    () => true,
    () => false,
  );
  server.close();
  return outcome;
}

test.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)("%s leaves neither a process nor the port behind", async (signal) => {
  const env = { ...process.env, NODE_OPTIONS: "", SETTLE_PROFILE: keepProfile() };
  const started = spawn(process.execPath, [SETTLE, "listen", "--port", "0", "--json"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  started.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  await vi.waitFor(() => expect(output).toContain("listening"), { timeout: 30_000 });
  const port = Number(new URL(JSON.parse(output).listening).port);
  expect(await isFree(port)).toBe(false);
  // Its output closes once no process has it open any more, including the one behind it.
  const closed = once(started, "close");
  started.kill(signal);
  const [code, by] = await closed;
  expect([code, by]).toEqual(signal === "SIGKILL" ? [null, "SIGKILL"] : [0, null]);
  expect(await isFree(port)).toBe(true);
});

/** In place of npx: a process of that name, which starts a shell that starts us. */
const NPX = `process.title = "npm exec settle";
require("node:child_process").spawn("sh", ["-c", process.argv[1] + "; exit $?"], { stdio: "inherit" });`;

test("an npx that is ended without a word to us leaves neither a process nor the port behind", async () => {
  const env = { ...process.env, NODE_OPTIONS: "", SETTLE_PROFILE: keepProfile(), npm_command: "exec" };
  const command = `"${process.execPath}" "${SETTLE}" listen --port 0 --json`;
  const npx = spawn(process.execPath, ["-e", NPX, command], { env, stdio: ["ignore", "pipe", "ignore"] });
  let output = "";
  npx.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  await vi.waitFor(() => expect(output).toContain("listening"), { timeout: 30_000 });
  const port = Number(new URL(JSON.parse(output).listening).port);
  const closed = once(npx, "close");
  npx.kill("SIGKILL");
  await closed;
  expect(await isFree(port)).toBe(true);
});
