import { expect, it } from "vitest";
import { recognise } from "./settlement-view.ts";

const SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW";
const HEX = "AB".repeat(32);

it.each([
  [`0x${HEX}`, { kind: "tx_hash", text: `0x${HEX.toLowerCase()}` }],
  [HEX, { kind: "tx_hash", text: HEX.toLowerCase() }],
  [SIGNATURE, { kind: "tx_hash", text: SIGNATURE }],
  [`https://explorer.example/tx/${SIGNATURE}?cluster=mainnet`, { kind: "tx_hash", text: SIGNATURE }],
  [`https://tron.example/#/transaction/${HEX.toLowerCase()}`, { kind: "tx_hash", text: HEX.toLowerCase() }],
  ["7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV", { kind: "wallet", text: "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV" }],
  ["TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", { kind: "wallet", text: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t" }],
  ["order-7", { kind: "external_id", text: "order-7" }],
])("takes %s for what it is", (pasted, recognised) => {
  expect(recognise(` ${pasted} `)).toEqual(recognised);
});
