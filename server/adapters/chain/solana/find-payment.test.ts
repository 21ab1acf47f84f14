import { beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { LookUp } from "#domain/lapsing-chain.ts";
import { DEFAULT_PRIORITY } from "#domain/solana-fees.ts";
import { Unreachable } from "#server/ports.ts";
import { newSolanaWallet } from "#testing/solana.ts";
import { findPayment } from "./find-payment.ts";
import { buildPayment, toBytes } from "./payment-bytes.ts";

const HASH = "GBXzDSU6ANqqZubsBdDaHKdF1QHSamWVGBXzDSU6ANqq";
const FINAL_SLOT = 1_500;

let attempt: LookUp;
beforeAll(async () => {
  const intent = { sender: await newSolanaWallet(), recipient: await newSolanaWallet(), token: null, amountBase: 1n, reference: "set_1" };
  const bytes = toBytes(await buildPayment(intent, { blockhash: HASH, units: 1_000, price: 1n, tokenProgram: null, decimals: 9 }));
  attempt = { id: HASH, after: 300, expiry: { by: "height", last: 400 }, bytes };
});

type Answers = { first?: () => number; statusSlot?: number; asked?: (method: string) => void };

/** A node whose heights are its slots minus 1,000, and that knows no signature. */
function nodeOf({ first = () => 1_100, statusSlot = FINAL_SLOT, asked = () => {} }: Answers) {
  const answer = (method: string, slot: unknown): unknown => {
    asked(method);
    switch (method) {
      case "getSlot":
        return FINAL_SLOT;
      case "getBlock":
        return { blockHeight: Number(slot) - 1_000, blockhash: HASH, blockTime: Number(slot) };
      case "getTransaction":
        return null;
      case "getSignatureStatuses":
        return { context: { slot: statusSlot }, value: [null] };
      case "isBlockhashValid":
        return { context: { slot: FINAL_SLOT }, value: false };
      case "getFirstAvailableBlock":
        return first();
      default:
        throw new Error(method);
    }
  };
  const rpc = {
    name: "node",
    ask: async <T>(shape: z.ZodType<T>, method: string, ...params: readonly unknown[]) => shape.parse(answer(method, params[0])),
  };
  return { rpc, rules: { tokens: [], commitment: "finalized", priority: DEFAULT_PRIORITY } } as const;
}

describe("the search for a payment", () => {
  it("covers what the node had all the time", async () => {
    expect(await findPayment(nodeOf({}), attempt)).toEqual({
      kind: "absent",
      history: { from: { height: 100, at: new Date(1_100_000) }, to: { height: 500, at: new Date(1_500_000) } },
      isExpired: true,
    });
  });

  it("does not cover what the node threw away meanwhile", async () => {
    let oldest = 1_100;
    const node = nodeOf({
      first: () => oldest,
      asked: (method) => {
        if (method === "getTransaction") oldest = 1_400;
      },
    });
    expect(await findPayment(node, attempt)).toMatchObject({ history: { from: { height: 400 } } });
  });

  it("says nothing where another machine behind the same name searched, and is behind", async () => {
    await expect(findPayment(nodeOf({ statusSlot: FINAL_SLOT - 1 }), attempt)).rejects.toThrow(Unreachable);
  });

  it("is over only past the expiry, whatever the node says about the blockhash", async () => {
    expect(await findPayment(nodeOf({}), { ...attempt, expiry: { by: "height", last: 500 } })).toMatchObject({ isExpired: false });
    expect(await findPayment(nodeOf({}), { ...attempt, expiry: { by: "height", last: 499 } })).toMatchObject({ isExpired: true });
  });
});
