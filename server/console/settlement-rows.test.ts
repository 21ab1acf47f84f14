import { describe, expect, it } from "vitest";
import { renderPayment } from "./settlement-rows.ts";

const AT = new Date("2026-11-21T10:00:00.000Z");
const HASH = `0x${"ab".repeat(32)}`;
const CHAIN = {
  chain: "eip155:1",
  name: "A chain",
  confirmations: 3,
  explorerUrl: "https://explorer.example",
  tokens: [{ currency: "ETH", address: null, decimals: 18 }],
};

type Payment = Parameters<typeof renderPayment>[0];
const MINED: Payment = {
  transfer: {
    id: "tf_1",
    state: "mined",
    recipient: `0x${"cd".repeat(20)}`,
    txHash: HASH,
    blockNumber: 100,
    createdAt: AT,
    executedAt: null,
    waitingReason: "it waits",
    reviewReason: "it is odd",
    failureReason: null,
    purpose: "settlement",
    ownerId: "tx_1",
    partnerId: null,
    chain: CHAIN.chain,
    currency: "ETH",
    amountBase: 1n,
    call: null,
    tokenAddress: null,
    tokenDecimals: 18,
    blockHash: null,
    cancelRequestedAt: null,
    bumpRequestedAt: null,
    trace: null,
  },
  isOrphaned: false,
  updatedAt: AT,
  wallet: `0x${"ef".repeat(20)}`,
  nonce: 7,
  feeToken: null,
  height: 101,
  headAgeSeconds: 94,
  feeBase: 21_000_000_000_001n,
  packedWith: null,
  attempts: [],
};

describe("a payment as the console shows it", () => {
  it("counts its own block, and shows how old the newest known block is", () => {
    expect(renderPayment(MINED, CHAIN, true)).toMatchObject({ confirmations: 2, confirmations_needed: 3, head_age_seconds: 94 });
    expect(renderPayment({ ...MINED, headAgeSeconds: -1 }, CHAIN, true).head_age_seconds).toBe(0);
    expect(renderPayment({ ...MINED, headAgeSeconds: null }, CHAIN, true).head_age_seconds).toBeNull();
  });

  it("leads to the explorer where there is one and something to see", () => {
    expect(renderPayment(MINED, CHAIN, false).explorer_url).toBe(`https://explorer.example/tx/${HASH}`);
    expect(renderPayment(MINED, { ...CHAIN, explorerUrl: null }, true).explorer_url).toBeNull();
    expect(renderPayment({ ...MINED, transfer: { ...MINED.transfer, txHash: null } }, CHAIN, true).explorer_url).toBeNull();
    expect(renderPayment(MINED, null, true)).toMatchObject({ explorer_url: null, confirmations_needed: null });
  });

  it("keeps the operator's reasons and nonces from a partner's people", () => {
    const hidden = { waiting_reason: null, review_reason: null, nonce: null, network_fee: null };
    expect(renderPayment(MINED, CHAIN, false)).toMatchObject(hidden);
    const network_fee = { amount: "0.000021000000000001", currency: "ETH" };
    expect(renderPayment(MINED, CHAIN, true)).toMatchObject({
      waiting_reason: "it waits",
      review_reason: "it is odd",
      nonce: 7,
      network_fee,
    });
  });
});
