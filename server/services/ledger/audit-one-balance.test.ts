import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { COIN_AS_TOKEN } from "#domain/gas.ts";
import type { TokenInfo } from "#domain/token.ts";
import { startTestChain, type TestChain } from "#testing/chain.ts";
import { type BenchOptions, openTransferBench, type TransferBench } from "#testing/transfers.ts";
import { findAnsweringNode } from "./answering-chain.ts";
import { auditOneBalance } from "./audit-one-balance.ts";

/** A contract that answers everything with the balance of the address behind the selector, in units of six decimals: as Arc shows its coin. */
const SHOWS_THE_COIN = "0x64e8d4a51000600435310460005260206000f3";
/** An address without such a contract. */
const ELSEWHERE = "0x1111111111111111111111111111111111111111";

let chain: TestChain;
let bench: TransferBench;
beforeAll(async () => {
  chain = await startTestChain({ noMining: true });
});
afterEach(async () => {
  await chain.call("anvil_setCode", COIN_AS_TOKEN, "0x");
  await bench.close();
});
afterAll(() => chain.stop());

async function open(options: BenchOptions = {}): Promise<void> {
  bench = await openTransferBench(chain, { confirmations: 1, wallets: 2, ...options });
  await bench.run(bench.newWorker(), [], 1);
}

/** With another token in the settings that no worker has read yet. */
async function audit(...further: TokenInfo[]) {
  const info = bench.ctx.evm.find(chain.chain);
  const answering = info && (await findAnsweringNode({ ...info, tokens: [...info.tokens, ...further] }));
  if (!answering) throw new Error("no node answers");
  const { checked, violations } = await auditOneBalance(bench.ctx, answering);
  return { checked, faults: violations.map(({ subject, detail }) => `${subject}: ${detail}`) };
}

describe("one balance", () => {
  it("finds a token that is the chain's coin, wherever it is, once the balances are no round figures", async () => {
    await chain.call("anvil_setCode", ELSEWHERE, SHOWS_THE_COIN);
    await open();
    const token = { currency: "DOLLAR", address: ELSEWHERE, decimals: 6 };
    expect(await audit(token)).toEqual({ checked: 3, faults: [] });
    await chain.call("anvil_setBalance", bench.addresses[0], "0x56bc75e2d63100001");
    await chain.mine();
    expect(await audit(token)).toEqual({
      checked: 3,
      faults: [`${chain.chain} DOLLAR: DOLLAR at ${ELSEWHERE} is the balance of the coin ETH, counted a second time`],
    });
  });

  it("finds nothing where the coin is named alone", async () => {
    await chain.call("anvil_setCode", COIN_AS_TOKEN, SHOWS_THE_COIN);
    await open({ gas: "same-as-token" });
    await chain.call("anvil_setBalance", bench.addresses[0], "0x56bc75e2d63100001");
    await chain.mine();
    expect(await audit()).toEqual({ checked: 2, faults: [] });
  });
});
