import { compileTransaction, decompileTransactionMessage, getCompiledTransactionMessageDecoder } from "@solana/kit";
import { beforeAll, describe, expect, it } from "vitest";
import type { LapsingIntent, UnsignedPayment } from "#domain/lapsing-chain.ts";
import { SOLANA_PROGRAMS } from "#domain/solana-address.ts";
import { Rejected } from "#server/ports.ts";
import { newSolanaKey, newSolanaWallet } from "#testing/solana.ts";
import { checkSigned, checkUnsigned } from "./check-signed.ts";
import { memo } from "./instructions.ts";
import { buildPayment, type PaymentTerms, toBytes } from "./payment-bytes.ts";

const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const USDT = "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB";
const TERMS: PaymentTerms = {
  blockhash: "GBXzDSU6ANqqZubsBdDaHKdF1QHSamWVGBXzDSU6ANqq",
  units: 20_000,
  price: 1_000n,
  tokenProgram: SOLANA_PROGRAMS.token,
  decimals: 6,
};
const COIN: PaymentTerms = { ...TERMS, tokenProgram: null, decimals: 9 };

const key = newSolanaKey();
let intent: LapsingIntent;
beforeAll(async () => {
  intent = { sender: await key.address(), recipient: await newSolanaWallet(), token: USDC, amountBase: 5_000_000n, reference: "set_1" };
});

/** Bytes that pay one intent, said to be for another. */
async function unsignedOf(paid: LapsingIntent, terms = TERMS, owed = paid, most = 2_050_000n): Promise<UnsignedPayment> {
  const bytes = toBytes(await buildPayment(paid, terms));
  return { intent: owed, bytes, after: 1, expiry: { by: "height", last: 200 }, feeAtMost: { token: null, amountBase: most } };
}

describe("signed bytes", () => {
  it("are accepted with the id that the chain will give them", async () => {
    for (const [paid, terms] of [
      [intent, TERMS],
      [intent, { ...TERMS, tokenProgram: SOLANA_PROGRAMS.token2022 }],
      [{ ...intent, token: null }, COIN],
    ] as const) {
      const unsigned = await unsignedOf(paid, terms);
      const id = await checkSigned(await key.sign(unsigned.bytes), unsigned);
      expect(id).toMatch(/^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
      expect(await checkSigned(await key.sign(unsigned.bytes), unsigned)).toBe(id);
    }
  });

  it("are refused with one bit changed anywhere, in signature or content", async () => {
    const unsigned = await unsignedOf(intent);
    const raw = Buffer.from(await key.sign(unsigned.bytes), "base64");
    for (let at = 0; at < raw.length; at += 3) {
      const other = Buffer.from(raw);
      other[at] = (other[at] ?? 0) ^ (1 << (at % 8));
      await expect(checkSigned(other.toString("base64"), unsigned), `byte ${at}`).rejects.toThrow(Rejected);
    }
  });

  it("are refused from another key, without a signature, cut off, or longer", async () => {
    const unsigned = await unsignedOf(intent);
    const raw = Buffer.from(await key.sign(unsigned.bytes), "base64");
    const forged = [
      await newSolanaKey().sign(unsigned.bytes),
      Buffer.concat([Buffer.of(1), Buffer.alloc(64), raw.subarray(65)]).toString("base64"),
      raw.subarray(0, -1).toString("base64"),
      Buffer.concat([raw, Buffer.of(0)]).toString("base64"),
      Buffer.concat([Buffer.of(2), raw.subarray(1, 65), raw.subarray(1)]).toString("base64"),
      "",
    ];
    for (const other of forged) await expect(checkSigned(other, unsigned)).rejects.toThrow(Rejected);
  });
});

describe("bytes to sign", () => {
  it.each<[string, (owed: LapsingIntent) => Partial<LapsingIntent> | Promise<Partial<LapsingIntent>>]>([
    ["another amount", () => ({ amountBase: 5_000_001n })],
    ["another recipient", async () => ({ recipient: await newSolanaWallet() })],
    ["another sender", async () => ({ sender: await newSolanaWallet() })],
    ["another token", () => ({ token: USDT })],
    ["another reference", () => ({ reference: "set_2" })],
  ])("that pay %s than is owed are refused", async (_, other) => {
    const unsigned = await unsignedOf({ ...intent, ...(await other(intent)) }, TERMS, intent);
    await expect(checkUnsigned(unsigned)).rejects.toThrow("something else");
  });

  it("that pay in the coin what is owed in a token, or the other way, are refused", async () => {
    const coin = { ...intent, token: null };
    await expect(checkUnsigned(await unsignedOf(coin, COIN, intent))).rejects.toThrow("another program");
    await expect(checkUnsigned(await unsignedOf(intent, TERMS, coin))).rejects.toThrow("another program");
  });

  it("that name another program as the token's are refused", async () => {
    await expect(checkUnsigned(await unsignedOf(intent, { ...TERMS, tokenProgram: SOLANA_PROGRAMS.memo }))).rejects.toThrow(Rejected);
  });

  it("that offer a higher fee than they say are refused", async () => {
    await checkUnsigned(await unsignedOf(intent, TERMS, intent, 5_020n));
    await expect(checkUnsigned(await unsignedOf(intent, TERMS, intent, 5_019n))).rejects.toThrow("higher fee");
    const greedy = { ...TERMS, price: 10n ** 12n };
    await expect(checkUnsigned(await unsignedOf(intent, greedy, intent))).rejects.toThrow("higher fee");
  });

  it("that do one thing more are refused", async () => {
    const unsigned = await unsignedOf(intent);
    const message = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(Buffer.from(unsigned.bytes, "base64")));
    const [limit, price, ...rest] = message.instructions;
    if (limit === undefined || price === undefined) throw new Error("a payment has them");
    const more = { ...message, instructions: [limit, price, memo("more"), ...rest] } as unknown as Parameters<typeof compileTransaction>[0];
    await expect(checkUnsigned({ ...unsigned, bytes: toBytes(compileTransaction(more)) })).rejects.toThrow("something else");
  });

  it.each(["", "AAAA", Buffer.alloc(300, 1).toString("base64")])("that are no transaction are refused: %s", async (bytes) => {
    await expect(checkUnsigned({ ...(await unsignedOf(intent)), bytes })).rejects.toThrow(Rejected);
  });

  it.each<[string, Partial<LapsingIntent>]>([
    ["nothing", { amountBase: 0n }],
    ["less than nothing", { amountBase: -1n }],
    ["more than 64 bits", { amountBase: 2n ** 64n }],
    ["a text that does not fit", { reference: "x".repeat(1_000) }],
    ["a recipient that is no address", { recipient: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }],
  ])("are not made for %s", async (_, other) => {
    await expect(buildPayment({ ...intent, ...other }, TERMS)).rejects.toThrow(Rejected);
  });
});
