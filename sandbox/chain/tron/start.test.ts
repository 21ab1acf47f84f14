import { afterAll, beforeAll, expect, it } from "vitest";
import { TRON_DOUBLE } from "#domain/chain-id.ts";
import { tronOfHex } from "#domain/tron-address.ts";
import { openTronChain } from "#server/adapters/chain/tron/open-tron-chain.ts";
import { Unreachable } from "#server/ports.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type LocalTron, startTronDouble } from "./start.ts";

let evm: TestChain;
let tron: LocalTron;
beforeAll(async () => {
  evm = await startTestChain();
  tron = await startTronDouble({ evmUrl: evm.rpcUrl, ports: [0, 0], unsolidified: 2 });
});
afterAll(async () => {
  await tron.stop();
  await evm.stop();
});

it("says in its first line and at / that it is a double, and does not start in live mode", async () => {
  expect(tron.face).toBe(`double of a Tron node (sandbox only, no Tron network): ${TRON_DOUBLE}`);
  for (const url of tron.urls) expect(await (await fetch(url)).text()).toContain("double of a Tron node");
  const live = startTronDouble({ evmUrl: evm.rpcUrl }, { ...process.env, MODE: "live" });
  await expect(live).rejects.toThrow("live mode never pays on it");
});

it("is steered over HTTP: blocks, accounts, the price of energy, and one node's lag and silence", async () => {
  const settings = { chain: TRON_DOUBLE, name: "Tron", rpcUrls: tron.urls, tokens: [], isLive: false };
  const { nodes, identity } = openTronChain(settings);
  const [first, second] = [nodes[0] ?? expect.fail(), nodes[1] ?? expect.fail()];
  expect([await first.identity(), await second.identity()]).toEqual([identity, identity]);
  const { height, solid } = await tron.steer({ mine: 5 });
  expect(solid).toBe(height - 2);
  expect(await first.finalPoint()).toMatchObject({ height: solid });
  const [sender, recipient] = [tronOfHex(`${"11".repeat(20)}`), tronOfHex(`${"22".repeat(20)}`)];
  await tron.steer({ fund: { address: sender, sun: 5_000_000 } });
  expect(await second.balance(sender, null)).toBe(5_000_000n);
  await evm.fund(`0x${"11".repeat(20)}`, { ether: 1, tokens: 5 });
  const intent = { sender, recipient, token: tronOfHex(evm.tokens.USDT), amountBase: 1n, reference: "x" };
  const cheap = (await first.prepare(intent)).feeAtMost.amountBase;
  await tron.steer({ energyFeeSun: 200 });
  const dear = (await first.prepare(intent)).feeAtMost.amountBase;
  expect(dear).toBeGreaterThan(cheap + 10_000_000n);
  await tron.steer({ knobs: { lag: 3 } }, 1);
  expect(await second.finalPoint()).toMatchObject({ height: solid - 3 });
  await tron.steer({ knobs: { isSilent: true } }, 1);
  const silent = openTronChain({ ...settings, rpcTimeoutMs: 200 }).nodes[1];
  await expect(silent?.finalPoint()).rejects.toBeInstanceOf(Unreachable);
  await tron.steer({ knobs: { isSilent: false, lag: 0 } }, 1);
  expect(await second.finalPoint()).toMatchObject({ height: solid });
});
