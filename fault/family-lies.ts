import type { Family } from "#sandbox/settings.ts";
import { ANY_LIES, HEADS, type Lie, movedHead } from "./lies.ts";

/** The lies of nodes of other families than EVM's, each in its own method's shape. */

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** The same about every answer to a send, and about every look-up. */
function common({ send, find, nothing }: { send: RegExp; find: RegExp; nothing: unknown }): Lie[] {
  return [
    ...ANY_LIES,
    { name: "done, and silent", share: 0.1, methods: send, makeLie: () => "swallow" },
    { name: "heard twice", share: 0.1, methods: send, makeLie: () => "twice" },
    { name: "not sent, and silent", share: 0.05, methods: send, makeLie: () => "refuse" },
    { name: "forgotten", share: 0.1, methods: find, makeLie: () => ({ result: nothing }) },
  ];
}

/** A number, or the named one below it, by this much more. */
function moved(result: unknown, name: string, by: number): unknown {
  if (typeof result === "number") return result + by;
  if (!isFields(result)) return result;
  if (typeof result[name] === "number") return { ...result, [name]: result[name] + by };
  return Object.fromEntries(Object.entries(result).map(([key, value]) => [key, isFields(value) ? moved(value, name, by) : value]));
}

/** Heights that are behind or ahead. */
function heads(methods: RegExp, change: (result: unknown, by: number) => unknown): Lie[] {
  return HEADS.map(([name, share, by]) => ({
    name,
    share,
    methods,
    makeLie: (random) => ({ alter: (result: unknown) => change(result, by(random)) }),
  }));
}

export const FAMILY_LIES: Readonly<Record<Family, readonly Lie[]>> = {
  solana: [
    ...common({ send: /^sendTransaction$/, find: /^getTransaction$/, nothing: null }),
    ...heads(/^(getSlot|getBlockHeight)$/, (result, by) => moved(result, "", by)),
    {
      name: "another expiry",
      share: 0.1,
      methods: /^getLatestBlockhash$/,
      makeLie: (random) => ({ alter: (result) => moved(result, "lastValidBlockHeight", random.below(80) - 40) }),
    },
    {
      name: "an early end of a blockhash",
      share: 0.05,
      methods: /^isBlockhashValid$/,
      makeLie: () => ({ alter: (result) => (isFields(result) ? { ...result, value: false } : result) }),
    },
  ],
  tron: [
    ...common({ send: /^broadcasthex$/, find: /^gettransactioninfobyid$/, nothing: {} }),
    ...heads(/^getnowblock$/, (result, by) => moved(moved(result, "number", by), "timestamp", by * 3_000)),
    {
      name: "too busy to take it",
      share: 0.1,
      methods: /^broadcasthex$/,
      makeLie: () => ({ result: { code: "SERVER_BUSY", message: "" } }),
    },
  ],
  tempo: [
    ...common({ send: /^eth_sendRawTransaction$/, find: /^eth_getTransaction(Receipt|ByHash)$/, nothing: null }),
    ...HEADS.map(
      ([name, share, by]): Lie => ({
        name,
        share,
        methods: /^eth_getBlockByNumber$/,
        makeLie: (random) => ({ alter: (result) => movedHead(result, by(random), random) }),
      }),
    ),
  ],
};
