import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { describe, expect, it } from "vitest";
import type { LapsingIntent, UnsignedPayment } from "#domain/lapsing-chain.ts";
import { tempoKey } from "#server/adapters/signer/tempo-key.ts";
import { Rejected } from "#server/ports.ts";
import { checkSigned, encodePayment, feeBaseOf, memoOf, type TempoTerms } from "./payment-bytes.ts";

const TOKEN = "0x20c0000000000000000000000000000000000001";
const [SECRET, OTHER] = [generatePrivateKey(), generatePrivateKey()];
const SENDER = privateKeyToAddress(SECRET);
const TERMS: TempoTerms = { chainId: 31337, gas: 400_000n, maxFeePerGas: 40n * 10n ** 9n, feeToken: TOKEN, validBefore: 1_795_959_589 };
const INTENT: LapsingIntent = {
  sender: SENDER,
  recipient: privateKeyToAddress(OTHER),
  token: TOKEN,
  amountBase: 5n,
  reference: "tx_01kdvdna3mm31nk6pwat2cn1zs",
};

async function unsignedOf(intent: LapsingIntent = INTENT, terms: TempoTerms = TERMS): Promise<UnsignedPayment> {
  const feeAtMost = { token: TOKEN, amountBase: feeBaseOf(terms.gas, terms.maxFeePerGas) };
  return {
    intent,
    bytes: await encodePayment(intent, terms),
    after: 1,
    expiry: { by: "time", last: new Date(terms.validBefore * 1_000) },
    feeAtMost,
  };
}

const signed = async ({ bytes }: UnsignedPayment, secret = SECRET) => await tempoKey(async () => secret).sign(bytes);

describe("signed bytes on Tempo", () => {
  it("are the payment that was to be signed, and have its id", async () => {
    const unsigned = await unsignedOf();
    expect(await checkSigned(await signed(unsigned), unsigned)).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it("have another id for another reference, and for another expiry", async () => {
    const others = [
      await unsignedOf(),
      await unsignedOf({ ...INTENT, reference: "tx_other" }),
      await unsignedOf(INTENT, { ...TERMS, validBefore: TERMS.validBefore + 1 }),
    ];
    const ids = await Promise.all(others.map(async (unsigned) => await checkSigned(await signed(unsigned), unsigned)));
    expect(new Set(ids).size).toBe(others.length);
  });

  it.each<[string, Partial<LapsingIntent>, Partial<TempoTerms>]>([
    ["another amount", { amountBase: 6n }, {}],
    ["another recipient", { recipient: SENDER }, {}],
    ["another token", { token: "0x20c0000000000000000000000000000000000002" }, {}],
    ["another memo", { reference: "tx_other" }, {}],
    ["another chain", {}, { chainId: 4217 }],
    ["another expiry", {}, { validBefore: TERMS.validBefore + 60 }],
    ["another fee token", {}, { feeToken: "0x20c0000000000000000000000000000000000002" }],
    ["a higher fee", {}, { maxFeePerGas: TERMS.maxFeePerGas * 2n }],
  ])("with %s are refused", async (_, intent, terms) => {
    const raw = await signed(await unsignedOf({ ...INTENT, ...intent }, { ...TERMS, ...terms }));
    await expect(checkSigned(raw, await unsignedOf())).rejects.toBeInstanceOf(Rejected);
  });

  it("whose unsigned bytes do something else than the intent are refused", async () => {
    const planted = { ...(await unsignedOf({ ...INTENT, recipient: SENDER })), intent: INTENT };
    await expect(checkSigned(await signed(planted), planted)).rejects.toThrow("something else");
  });

  it("whose expiry or largest fee was stated otherwise are refused", async () => {
    const unsigned = await unsignedOf();
    const raw = await signed(unsigned);
    const later = { ...unsigned, expiry: { by: "time", last: new Date(0) } as const };
    await expect(checkSigned(raw, later)).rejects.toThrow("another expiry");
    await expect(checkSigned(raw, { ...unsigned, feeAtMost: { token: TOKEN, amountBase: 1n } })).rejects.toThrow("another fee");
  });

  it("of another key, or of none, are refused", async () => {
    const unsigned = await unsignedOf();
    await expect(checkSigned(await signed(unsigned, OTHER), unsigned)).rejects.toThrow(/not by/);
    for (const raw of [unsigned.bytes, "0x", `${await signed(unsigned)}00`])
      await expect(checkSigned(raw, unsigned)).rejects.toBeInstanceOf(Rejected);
  });

  it("have room for a reference of 32 bytes", () => {
    expect(memoOf("a".repeat(32))).toBe(`0x${"61".repeat(32)}`);
    for (const reference of ["a".repeat(33), ""]) expect(() => memoOf(reference)).toThrow(Rejected);
  });

  it("cost a whole base unit for any part of it", () => {
    expect([feeBaseOf(1n, 1n), feeBaseOf(10n ** 6n, 10n ** 6n), feeBaseOf(51_107n, 20n * 10n ** 9n)]).toEqual([1n, 1n, 1_023n]);
  });
});
