import { describe, expect, it } from "vitest";
import { hexOfTron, tronOfHex } from "./tron-address.ts";

/** Published pairs of one address in both forms. */
const PAIRS: [base58: string, hex: string, source: string][] = [
  ["TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", "0x5cd0fb0ab3ce40f3051414c604b27756e69e43db", "trustwallet/wallet-core, tests/chains/Tron"],
  ["THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV", "0x521ea197907927725ef36d70f25f850d1659c7c7", "trustwallet/wallet-core, tests/chains/Tron"],
  [
    "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    "0xa614f803b6fd780986a42c78ec9c7f77e6ded13c",
    "BioforestChain/BFMeta-Wallet, packages/tron/src/core/constants.ts",
  ],
  [
    "TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj",
    "0xea51342dabbb928ae1e576bd39eff8aaf070a8c6",
    "BioforestChain/BFMeta-Wallet, packages/tron/src/core/constants.ts",
  ],
  ["TP1GNfLqWbjWxtag1yVG1T3uaLRcPJjYzY", "0x8efd48450aaffb539fe56e751f8963567d5ed2d7", "debugHappy/USDT-SERVER, README.md"],
];

describe("a Tron address", () => {
  it("has the same bytes as in the published pairs, both ways", () => {
    for (const [base58, hex, source] of PAIRS) {
      expect(hexOfTron(base58), source).toBe(hex);
      expect(tronOfHex(hex), source).toBe(base58);
    }
  });

  it("is refused with a changed letter, in hexadecimal, of another network's prefix or of another length", () => {
    const bitcoin = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";
    for (const wrong of ["TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeD", "415cd0fb0ab3ce40f3051414c604b27756e69e43db", bitcoin, "", "T"])
      expect(() => hexOfTron(wrong), wrong).toThrow();
    expect(() => tronOfHex("415cd0fb0ab3ce40f3051414c604b27756e69e43db")).toThrow("20 bytes");
  });
});
