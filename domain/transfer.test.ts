import { describe, expect, it } from "vitest";
import {
  advanceTransfer,
  IllegalTransferMove,
  isOpenTransfer,
  TRANSFER_LIFECYCLE,
  TRANSFER_STATES,
  type Transfer,
  type TransferAction,
  type TransferActionType,
  type TransferState,
} from "./transfer.ts";

const NOW = new Date("2026-11-21T10:00:00.000Z");
const MINED = { txHash: "0xaa", blockNumber: 7, blockHash: "0xbb" };

const ACTIONS: Record<TransferActionType, TransferAction> = {
  sign: { type: "sign" },
  pack: { type: "pack" },
  unpack: { type: "unpack", reason: "the token refused it" },
  pay_packed: { type: "pay_packed", ...MINED },
  refuse: { type: "refuse", reason: "the token refuses it" },
  broadcast: { type: "broadcast" },
  mine: { type: "mine", ...MINED },
  reorganise: { type: "reorganise" },
  execute: { type: "execute" },
  fail: { type: "fail", reason: "it was reverted" },
  retry: { type: "retry", reason: "it ran out of gas" },
  lapse: { type: "lapse", reason: "its time is over" },
  review: { type: "review", reason: "the nonce was spent by something else" },
  withdraw: { type: "withdraw", reason: "cancelled by an operator" },
  resume: { type: "resume" },
  restore: { type: "restore", ...MINED },
  resolve_executed: { type: "resolve_executed", ...MINED, txHash: "0xcc" },
  resolve_failed: { type: "resolve_failed", reason: "an operator's word" },
  resolve_retry: { type: "resolve_retry", reason: "an operator's word" },
};

/** Written from the contract, not derived from the table: every pair that is not here must be refused. */
const LEGAL: [TransferState, TransferActionType, TransferState][] = [
  ["queued", "sign", "signed"],
  ["queued", "pack", "packed"],
  ["packed", "unpack", "queued"],
  ["packed", "pay_packed", "executed"],
  ["packed", "review", "needs_review"],
  ["queued", "refuse", "failed"],
  ["queued", "withdraw", "failed"],
  ["queued", "restore", "executed"],
  ["signed", "broadcast", "broadcast"],
  ["signed", "mine", "mined"],
  ["signed", "review", "needs_review"],
  ["signed", "lapse", "queued"],
  ["broadcast", "lapse", "queued"],
  ["broadcast", "mine", "mined"],
  ["broadcast", "review", "needs_review"],
  ["mined", "reorganise", "broadcast"],
  ["mined", "execute", "executed"],
  ["mined", "fail", "failed"],
  ["mined", "retry", "queued"],
  ["mined", "review", "needs_review"],
  ["needs_review", "resume", "broadcast"],
  ["needs_review", "resolve_executed", "executed"],
  ["needs_review", "resolve_failed", "failed"],
  ["needs_review", "resolve_retry", "queued"],
];

describe("the life of a transfer", () => {
  for (const state of TRANSFER_STATES) {
    for (const action of Object.values(ACTIONS)) {
      const legal = LEGAL.find(([from, type]) => from === state && type === action.type);
      it(`${state} + ${action.type} ${legal ? `becomes ${legal[2]}` : "is refused"}`, () => {
        if (legal) expect(advanceTransfer(transferIn(state), action, NOW).state).toBe(legal[2]);
        else expect(() => advanceTransfer(transferIn(state), action, NOW)).toThrow(IllegalTransferMove);
      });
    }
  }

  it("never leaves an end state", () => {
    const left = Object.values(TRANSFER_LIFECYCLE).flatMap((row): readonly TransferState[] => row.from);
    expect(left).not.toContain("executed");
    expect(left).not.toContain("failed");
  });

  it("lets only an operator leave the review", () => {
    for (const row of Object.values(TRANSFER_LIFECYCLE)) {
      if ((row.from as readonly TransferState[]).includes("needs_review")) expect(row.by).toBe("operator");
    }
  });

  it("keeps the hash of the attempt that was mined, and forgets it when the block is gone", () => {
    const mined = advanceTransfer(transferIn("broadcast"), ACTIONS.mine, NOW);
    expect(mined).toMatchObject(MINED);
    expect(advanceTransfer(mined, ACTIONS.execute, NOW)).toMatchObject({ ...MINED, executedAt: NOW });
    expect(advanceTransfer(mined, ACTIONS.reorganise, NOW)).toMatchObject({ txHash: null, blockNumber: null, blockHash: null });
  });

  it("is made again out of no block, and says why", () => {
    const mined = advanceTransfer(transferIn("broadcast"), ACTIONS.mine, NOW);
    expect(advanceTransfer({ ...mined, bumpRequestedAt: NOW }, ACTIONS.retry, NOW)).toMatchObject({
      state: "queued",
      txHash: null,
      blockNumber: null,
      blockHash: null,
      bumpRequestedAt: null,
      waitingReason: "it ran out of gas",
      failureReason: null,
    });
  });

  it("no longer waits once it moves", () => {
    expect(advanceTransfer({ ...transferIn("queued"), waitingReason: "empty" }, ACTIONS.sign, NOW).waitingReason).toBeNull();
  });

  it("says what the worker still has to do", () => {
    expect(TRANSFER_STATES.filter(isOpenTransfer)).toEqual(["queued", "packed", "signed", "broadcast", "mined"]);
  });
});

function transferIn(state: TransferState): Transfer {
  return {
    id: "tr_1",
    purpose: "settlement",
    ownerId: "tx_1",
    partnerId: "7f0c2c1e-32a5-4f0e-9d53-0d7f0f9f4a11",
    chain: "eip155:31337",
    currency: "USDT",
    tokenAddress: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
    tokenDecimals: 6,
    amountBase: 1_000_000n,
    recipient: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    call: null,
    state,
    trace: null,
    waitingReason: null,
    reviewReason: null,
    failureReason: null,
    txHash: null,
    blockNumber: null,
    blockHash: null,
    cancelRequestedAt: null,
    bumpRequestedAt: null,
    createdAt: NOW,
    executedAt: null,
  };
}
