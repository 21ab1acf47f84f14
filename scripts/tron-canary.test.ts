import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { AT_ONCE_MS } from "#testing/patience.ts";
import { startTestTron, type TestTron, type TronWallet } from "#testing/tron.ts";
import { runCanary } from "./tron-canary.ts";

let tron: TestTron;
let sender: TronWallet;
const folder = mkdtempSync(join(tmpdir(), "settlement-canary-"));
const keyFile = join(folder, "key");
beforeAll(async () => {
  tron = await startTestTron();
  sender = await tron.wallet({ trx: 1_000, tokens: 10 });
  writeFileSync(keyFile, sender.key);
});
afterAll(async () => {
  await tron.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** One canary to its end; a block is made at each of its pauses. */
async function run(to: string, amountBase: bigint): Promise<{ code: number; lines: string[] }> {
  const lines: string[] = [];
  const order = { node: tron.nodes[0].url, token: tron.token, to, amountBase, keyFile, rpcTimeoutMs: 2 * AT_ONCE_MS };
  const code = await runCanary(order, { say: (line) => lines.push(line), pause: () => tron.chain.mine() });
  return { code, lines };
}

it("pays once, says each step, and ends when the payment is final", async () => {
  const { address } = await tron.wallet();
  const { code, lines } = await run(address, 1_500_000n);
  expect(code).toBe(0);
  expect(lines.map((line) => line.split(" ")[0])).toEqual(["network", "sender", "id", "sent", "absent", "seen", "final"]);
  expect(lines[3]).toBe("sent       accepted, and again: known");
  expect(lines[6]).toMatch(new RegExp(`final {6}paid in block \\d+, fee \\d+ sun, moved: 1500000 to ${address}$`));
  expect(await tron.tokensOf(address)).toBe(1_500_000n);
});

it("stops at the trial and sends nothing where the recipient is refused", async () => {
  const { height } = tron.chain.head;
  expect(await run(tron.blocked, 1n)).toMatchObject({
    code: 1,
    lines: [/./, /./, /^trial {6}refused: /].map((form) => expect.stringMatching(form)),
  });
  await tron.chain.mine();
  expect(tron.chain.blocks.slice(height + 1).flatMap(({ transactions }) => transactions)).toEqual([]);
});

it("refuses a network with other people's money before it reads a key", async () => {
  const main = `${"0".repeat(16)}1ebf88508a03865c71d452e25f4d51194196a1d22b6653dc`;
  const [genesis] = tron.chain.blocks;
  tron.chain.blocks[0] = { ...(genesis ?? expect.fail()), id: main };
  await expect(run(sender.address, 1n)).rejects.toThrow("0x2b6653dc, which is no test network");
});
