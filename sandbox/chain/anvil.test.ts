import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findFreePort } from "#sandbox/free-port.ts";
import { startAnvil } from "./anvil.ts";
import { callNode } from "./rpc.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settlement-anvil-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const filesIn = (path: string) => readdirSync(path, { recursive: true }).filter((name) => String(name).endsWith(".json"));

test("the node keeps the states of a bounded number of blocks on disk, where its log is, and none after its end", async () => {
  const port = await findFreePort();
  const logFile = join(folder, "node.log");
  const node = await startAnvil({ port, logFile });
  try {
    const call = (method: string, ...params: unknown[]) => callNode(`http://127.0.0.1:${port}`, method, params);
    // In portions: on a busy machine, all at once take longer than a call to the node may.
    for (let portion = 0; portion < 25; portion++) await call("anvil_mine", "0x64");
    const height = Number(await call("eth_blockNumber"));
    expect(height).toBe(2_500);
    expect(filesIn(`${logFile}.states`).length).toBeGreaterThan(0);
    expect(filesIn(`${logFile}.states`).length).toBeLessThanOrEqual(1_000);
    const account = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    expect(await call("eth_getBalance", account, `0x${(height - 1_000).toString(16)}`)).toBe(
      await call("eth_getBalance", account, "latest"),
    );
    await expect(call("eth_getBalance", account, "0xa")).rejects.toThrow();
  } finally {
    await node.stop();
  }
  expect(existsSync(`${logFile}.states`)).toBe(false);
});
