import { privateKeyToAddress } from "viem/accounts";
import { z } from "zod";
import { TRON_DOUBLE } from "#domain/chain-id.ts";
import { hexOfTron, tronOfHex } from "#domain/tron-address.ts";
import { chainEntry, lapsingSettingsOf } from "#sandbox/chain/families.ts";
import { startTronDouble } from "#sandbox/chain/tron/start.ts";
import { openLapsingChains } from "#server/adapters/chain/open-lapsing-chains.ts";
import { startTestChain } from "#testing/chain.ts";
import type { FamilyNetwork, NodeFault, PaymentThere } from "./network.ts";

/** As long as a block of Tron takes: what is signed is judged by its time. */
const BLOCK_MS = 3_000;
/** Bytes are valid for a minute: twenty blocks, and some until one of them is solidified. */
const LAPSE_BLOCKS = 24;
const UNITS = 1_000_000;
const HOLDING = { ether: 1, tokens: 1_000_000_000 };
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const NOBODY = "0".repeat(64);
const PAGE = 100;

const Blocks = z.object({ block: z.array(z.object({ transactions: z.array(z.object({ txID: z.string() })).default([]) })) });
const Info = z.object({
  receipt: z.object({ result: z.string() }),
  log: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
});

const KNOBS = { lag: 0, forgetBelow: 0, hides: [], forgetsIds: [], isSilent: false, losesAnswers: false, isBusy: false };

/** The double of a Tron network with three nodes, over an EVM of its own. */
export async function startTronNetwork(): Promise<FamilyNetwork> {
  const evm = await startTestChain();
  const double = await startTronDouble({ evmUrl: evm.rpcUrl, ports: [0, 0, 0], blockMs: BLOCK_MS, unsolidified: 1 });
  const tokens = { USDT: tronOfHex(evm.tokens.USDT), USDC: tronOfHex(evm.tokens.USDC) };
  const [first = "", second = "", judges = ""] = double.urls;
  const ask = async (path: string, body: object) =>
    (await fetch(`${judges}/wallet/${path}`, { method: "POST", body: JSON.stringify(body) })).json() as Promise<unknown>;
  const paidIn = async (txHash: string): Promise<PaymentThere[]> => {
    const { receipt, log } = Info.parse(await ask("gettransactioninfobyid", { value: txHash }));
    if (receipt.result !== "SUCCESS") return [];
    return log
      .filter(({ address, topics: [event, from] }) => isToken(address) && event === TRANSFER && from !== NOBODY)
      .map(({ topics, data }) => ({
        wallet: tronOfHex(`0x${(topics[2] ?? "").slice(-40)}`),
        amountBase: BigInt(`0x${data}`),
        txHash,
      }));
  };
  const isToken = (address: string) => `0x${address.slice(-40)}` === hexOfTron(tokens.USDT).toLowerCase();
  return {
    family: "tron",
    chain: TRON_DOUBLE,
    tokens,
    urls: [first, second],
    judge: openLapsingChains([lapsingSettingsOf({ chain: TRON_DOUBLE, rpc_url: judges, tokens }) ?? {}], { isLive: false }),
    lapseMs: LAPSE_BLOCKS * BLOCK_MS,
    faults: ["lags", "forgets", "hides", "denies", "swallows", "silent"],
    entry: (keyFiles, rpcUrls) => chainEntry("tron", { chain: TRON_DOUBLE, rpcUrls, tokens, keyFiles }),
    async fund(key) {
      const address = privateKeyToAddress(key);
      await evm.fund(address, HOLDING);
      await double.steer({ fund: { address: tronOfHex(address), sun: 1_000_000 * UNITS } }, 2);
    },
    walletOf: (hex) => tronOfHex(`0x${hex}`),
    async payments() {
      const { solid } = await double.steer({}, 2);
      const paid: PaymentThere[] = [];
      for (let startNum = 1; startNum <= solid; startNum += PAGE) {
        const page = { startNum, endNum: Math.min(startNum + PAGE, solid + 1) };
        for (const { transactions } of Blocks.parse(await ask("getblockbylimitnext", page)).block)
          for (const { txID } of transactions) paid.push(...(await paidIn(txID)));
      }
      return paid;
    },
    hold: async () => void (await double.steer({ holds: true }, 2)),
    release: async () => void (await double.steer({ holds: false }, 2)),
    async passExpiry() {
      await double.steer({ mine: LAPSE_BLOCKS }, 2);
      await double.steer({ holds: false }, 2);
    },
    async misbehave(fault, ids) {
      const { height } = await double.steer({ knobs: KNOBS }, 0);
      const faults: Readonly<Record<NodeFault, object>> = {
        none: {},
        lags: { lag: 3 },
        forgets: { forgetBelow: height },
        hides: { hides: ids },
        denies: { forgetsIds: ids },
        swallows: { losesAnswers: true },
        silent: { isSilent: true },
      };
      await double.steer({ knobs: faults[fault] }, 0);
    },
    disturb: async () => void (await double.steer({ forgetPending: true }, 2)),
    async stop() {
      await double.stop();
      await evm.stop();
    },
  };
}
