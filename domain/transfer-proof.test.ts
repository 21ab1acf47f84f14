import { toEventHash } from "viem";
import { describe, expect, it } from "vitest";
import type { EvmLog } from "./evm-intent.ts";
import { areSameAddresses, isControlledBy, readExecution } from "./safe.ts";
import type { Transfer } from "./transfer.ts";
import { judgeReceipt } from "./transfer-proof.ts";

const SAFE = `0x${"5a".repeat(20)}`;
const TOKEN = `0x${"70".repeat(20)}`;
const TREASURY = `0x${"7e".repeat(20)}`;
const SUCCESS = toEventHash("ExecutionSuccess(bytes32,uint256)");
const FAILURE = toEventHash("ExecutionFailure(bytes32,uint256)");
const HASH = `0x${"ab".repeat(32)}`;
const ZERO_WORD = "0".repeat(64);

/** The two releases put the hash into different places. */
const in130 = (topic: string, address = SAFE): EvmLog => ({ address, topics: [topic], data: `${HASH}${ZERO_WORD}` });
const in141 = (topic: string, address = SAFE): EvmLog => ({ address, topics: [topic, HASH], data: `0x${ZERO_WORD}` });

const moved = (amount: bigint, to = TREASURY, address = TOKEN): EvmLog => ({
  address,
  topics: [
    "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
    `0x${SAFE.slice(2).padStart(64, "0")}`,
    `0x${to.slice(2).padStart(64, "0")}`,
  ],
  data: `0x${amount.toString(16).padStart(64, "0")}`,
});

function transfer(change: Partial<Transfer>): Transfer {
  return {
    id: "tr_1",
    purpose: "settlement",
    ownerId: "tx_1",
    partnerId: null,
    chain: "eip155:31337",
    currency: "USDT",
    tokenAddress: TOKEN,
    tokenDecimals: 6,
    amountBase: 100n,
    recipient: TREASURY,
    call: null,
    state: "mined",
    trace: null,
    waitingReason: null,
    reviewReason: null,
    failureReason: null,
    txHash: HASH,
    blockNumber: 1,
    blockHash: HASH,
    cancelRequestedAt: null,
    bumpRequestedAt: null,
    createdAt: new Date(0),
    executedAt: null,
    ...change,
  };
}

const sweep = (change: Partial<Transfer> = {}) =>
  transfer({ purpose: "sweep", call: { to: SAFE, valueBase: 0n, data: "0x6a761202" }, ...change });

describe("what a Safe says", () => {
  it("is read alike from both releases", () => {
    for (const log of [in130(SUCCESS), in141(SUCCESS)])
      expect(readExecution([log], SAFE)).toEqual({ outcome: "success", safeTxHash: HASH });
    for (const log of [in130(FAILURE), in141(FAILURE)]) expect(readExecution([log], SAFE)?.outcome).toBe("failure");
    expect(readExecution([in141(SUCCESS)], SAFE.toUpperCase().replace("0X", "0x"))?.outcome).toBe("success");
  });

  it("is nothing when another contract says it, when it is said twice, or in another shape", () => {
    expect(readExecution([], SAFE)).toBeNull();
    expect(readExecution([in141(SUCCESS, TOKEN)], SAFE)).toBeNull();
    expect(readExecution([in141(SUCCESS), in141(FAILURE)], SAFE)).toBeNull();
    expect(readExecution([{ address: SAFE, topics: [SUCCESS], data: "0x" }], SAFE)).toBeNull();
    expect(readExecution([{ address: SAFE, topics: [SUCCESS, HASH, HASH], data: `0x${ZERO_WORD}` }], SAFE)).toBeNull();
  });
});

describe("a final transaction", () => {
  it("that swept a Safe has executed the transfer when both the Safe and the token say so", () => {
    expect(judgeReceipt(sweep(), [moved(100n), in141(SUCCESS)])).toEqual({ type: "execute" });
    expect(judgeReceipt(sweep(), [moved(100n), in130(SUCCESS)])).toEqual({ type: "execute" });
    expect(judgeReceipt(sweep({ tokenAddress: null }), [in141(SUCCESS)])).toEqual({ type: "execute" });
  });

  it("in which the Safe failed is a failure, even though the chain did not revert it", () => {
    expect(judgeReceipt(sweep(), [in141(FAILURE)])).toMatchObject({ type: "fail" });
    expect(judgeReceipt(sweep(), [in130(FAILURE)])).toMatchObject({ type: "fail" });
  });

  it("that leaves a doubt is for an operator to look into", () => {
    expect(judgeReceipt(sweep(), [moved(100n)])).toMatchObject({ type: "review" });
    expect(judgeReceipt(sweep(), [in141(SUCCESS)])).toMatchObject({ type: "review" });
    expect(judgeReceipt(sweep(), [in141(SUCCESS), moved(99n)])).toMatchObject({ type: "review" });
    expect(judgeReceipt(sweep(), [in141(SUCCESS), moved(100n, SAFE)])).toMatchObject({ type: "review" });
    expect(judgeReceipt(sweep(), [in141(SUCCESS), moved(100n, TREASURY, SAFE)])).toMatchObject({ type: "review" });
    expect(judgeReceipt(transfer({}), [])).toMatchObject({ type: "review" });
  });

  it("of a plain payment needs the token's word alone, and a deployment no token's", () => {
    expect(judgeReceipt(transfer({}), [moved(100n)])).toEqual({ type: "execute" });
    expect(judgeReceipt(transfer({ tokenAddress: null }), [])).toEqual({ type: "execute" });
    expect(judgeReceipt(transfer({ purpose: "deployment", call: { to: null, valueBase: 0n, data: "0x60" } }), [])).toEqual({
      type: "execute",
    });
  });
});

describe("a Safe", () => {
  it("obeys an address that is an owner of it, while one owner is enough", () => {
    expect(isControlledBy({ owners: [SAFE, TREASURY], threshold: 1 }, TREASURY.toUpperCase())).toBe(true);
    expect(isControlledBy({ owners: [SAFE, TREASURY], threshold: 2 }, TREASURY)).toBe(false);
    expect(isControlledBy({ owners: [SAFE], threshold: 1 }, TREASURY)).toBe(false);
  });

  it("has the same owners whatever their order and case of letters", () => {
    expect(areSameAddresses([SAFE, TREASURY], [TREASURY.toUpperCase(), SAFE])).toBe(true);
    expect(areSameAddresses([SAFE], [SAFE, SAFE])).toBe(false);
  });
});
