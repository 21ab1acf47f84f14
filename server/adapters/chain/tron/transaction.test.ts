import { createHash } from "node:crypto";
import { utils } from "tronweb";
import { sign } from "viem/accounts";
import { describe, expect, it } from "vitest";
import type { UnsignedPayment } from "#domain/lapsing-chain.ts";
import { tronOfHex } from "#domain/tron-address.ts";
import { Rejected } from "#server/ports.ts";
import { checkSigned } from "./check-signed.ts";
import { decodeRaw, decodeSigned, encodeRaw, encodeSigned, idOf, type TronTransfer } from "./transaction.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytes = (text: string) => Buffer.from(text, "hex");

/** A USDT transfer of the main network, with a memo and its signature: debugHappy/USDT-SERVER, README.md, "USDT". */
const USDT_WITH_MEMO = {
  id: "8ee777c12e2dce4c29bb9652940a2c24f42541526b9b6c59d30bedb7a0dc5bde",
  raw: "0a02209022081c806ea96f02e99340a0fdb6e4862f520a74657374e6b58be8af955aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a154124b3f61ca56819898b08c0c61ed18f98c813372b121541a614f803b6fd780986a42c78ec9c7f77e6ded13c2244a9059cbb0000000000000000000000000976782e1b25c5364ea68595145dd20bd913727600000000000000000000000000000000000000000000000000000000000003e87096bbb3e4862f900180a3c347",
  signature:
    "b92d062bfa940fba8e27435d2a6e344160a76ff176ed9c6f9e0c7682a3cf8ebb7b0ff87f2d3010c6e7c5436e8c828e12510331fe1aab7365d9f11687f12332ef01",
  transfer: {
    owner: tronOfHex("24b3f61ca56819898b08c0c61ed18f98c813372b"),
    token: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
    recipient: tronOfHex("0976782e1b25c5364ea68595145dd20bd9137276"),
    amountBase: 1_000n,
    refBlock: { height: 0x2090, hash: "00000000000000001c806ea96f02e993" },
    timestamp: 1_616_728_874_390,
    expiration: 1_616_728_932_000,
    feeLimitSun: 150_000_000n,
    memo: "test测试",
  } satisfies TronTransfer,
};
/** Without a memo: the same project and file, "GetTransactionById". */
const USDT = {
  id: "2a985f0c5fd37aaffca2f9c29bd1eaa50ccaae6adef7585b73ad89ae67b745a4",
  raw: "0a02f6e62208d25ce9686f7999f040b8c6ecff822f5aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a15410976782e1b25c5364ea68595145dd20bd9137276121541a614f803b6fd780986a42c78ec9c7f77e6ded13c2244a9059cbb000000000000000000000000a33564d0de15b3c7c4d6c50ab72b32c59ef5bd94000000000000000000000000000000000000000000000000000000000046500070fa82e9ff822f900180b48913",
  signature:
    "c7fd7453085d934ac573cb7f1667837ada93145abbe226e7ea7a8aea648bfa09a4094192a2d67b80625448cc3a01f354f387eaa37ae22978470f236d7533d64600",
  owner: tronOfHex("0976782e1b25c5364ea68595145dd20bd9137276"),
};
/** Of the Nile network: fbsobreira/gotron-sdk, pkg/client/transaction/marshal_test.go. Its recipient has 21 bytes, so it is not one of ours. */
const NILE = {
  id: "c70b20da8cb8d96a99c1aceb283412acb9dea313a9e467178431a3c6ae8b9f08",
  raw: "0a028ad92208eaef69105495eb1540f09fc0cfcd335aae01081f12a9010a31747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e54726967676572536d617274436f6e747261637412740a1541495511a493d8c362be4267224e6d81013a6862ee121541eca9bc828a3005b9a3b909f2cc5c2a54794de05f2244a9059cbb00000000000000000000004150125bea243a640bf85348873b6c4f3c517aee7a00000000000000000000000000000000000000000000000000000000000000017090cbbccfcd33900180c2d72f",
};
/** A key with its signatures: trustwallet/wallet-core, tests/chains/Tron/SignerTests.cpp, SignTransferTrc20Contract. */
const WALLET_CORE = {
  key: "0x2d8f68944bdbfbc0769542fba8fc2d2a3de67393334471624364c7006da2aa54",
  address: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
  id: "0d644290e3cf554f6219c7747f5287589b6e7e30e1b02793b48ba362da6a5058",
  signature:
    "bec790877b3a008640781e3948b070740b1f6023c29ecb3f7b5835433c13fc5835e5cad3bd44360ff2ddad5ed7dc9d7dee6878f90e86a40355b7697f5954b88c01",
  transfer: {
    owner: "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC",
    token: "THTR75o8xXAgCTQqpiot2AFRAjvW1tSbVV",
    recipient: "TW1dU4L3eNm7Lw8WvieLKEHpXWAussRG9Z",
    amountBase: 1_000n,
    refBlock: { height: 3_111_739, hash: "00000000002f7b3bb21ace8d6ac20e7e" },
    timestamp: 1_539_295_479_000,
    expiration: 1_539_331_479_000,
    feeLimitSun: 0n,
    memo: "",
  } satisfies TronTransfer,
} as const;

function unsignedOf({ owner, token, recipient, amountBase, memo, expiration, feeLimitSun, ...rest }: TronTransfer): UnsignedPayment {
  const raw = encodeRaw({ owner, token, recipient, amountBase, memo, expiration, feeLimitSun, ...rest });
  return {
    intent: { sender: owner, token, recipient, amountBase, reference: memo },
    bytes: hex(raw),
    after: 1,
    expiry: { by: "time", last: new Date(expiration) },
    feeAtMost: { token: null, amountBase: feeLimitSun },
  };
}

describe("a transfer's bytes", () => {
  it("are those of the published transactions, byte for byte, and so is the id", () => {
    expect(hex(encodeRaw(USDT_WITH_MEMO.transfer))).toBe(USDT_WITH_MEMO.raw);
    for (const { raw, id } of [USDT_WITH_MEMO, USDT, NILE]) expect(idOf(bytes(raw))).toBe(id);
    expect(hex(encodeRaw(decodeRaw(bytes(USDT.raw))))).toBe(USDT.raw);
  });

  it("have the id that another implementation gives them, with the prefix that it puts before the recipient", () => {
    const ours = hex(encodeRaw(WALLET_CORE.transfer));
    const recipient = "dbd7c53729b3310e1843083000fa84abad996961";
    expect(idOf(bytes(ours.replace(`00${recipient}`, `41${recipient}`)))).toBe(WALLET_CORE.id);
  });

  it("mean the same to tronweb", () => {
    const read = utils.deserializeTx.deserializeTransaction("TriggerSmartContract", USDT_WITH_MEMO.raw);
    const { transfer } = USDT_WITH_MEMO;
    expect(read).toMatchObject({
      fee_limit: 150_000_000,
      expiration: transfer.expiration,
      timestamp: transfer.timestamp,
      ref_block_bytes: "2090",
    });
    expect(utils.deserializeTx.deserializeTransaction("TriggerSmartContract", hex(encodeRaw(transfer)))).toEqual(read);
  });

  it("are read back field by field", () => {
    expect(decodeRaw(bytes(USDT_WITH_MEMO.raw))).toEqual(USDT_WITH_MEMO.transfer);
  });

  it("of any other transaction are refused, also with a field more, one in another order or a truncated one", () => {
    const more = `${USDT.raw}980101`;
    const swapped = `40b8c6ecff822f${USDT.raw.replace("40b8c6ecff822f", "")}`;
    for (const raw of [NILE.raw, more, swapped, USDT.raw.slice(0, -2), "", "ff"]) expect(() => decodeRaw(bytes(raw)), raw).toThrow();
  });
});

describe("what was signed", () => {
  it("is accepted with the published signature, and its sender is the published owner", async () => {
    const signed = encodeSigned(bytes(USDT_WITH_MEMO.raw), bytes(USDT_WITH_MEMO.signature));
    expect(await checkSigned(signed, unsignedOf(USDT_WITH_MEMO.transfer))).toBe(USDT_WITH_MEMO.id);
    const plain = encodeSigned(bytes(USDT.raw), bytes(USDT.signature));
    expect(await checkSigned(plain, unsignedOf(decodeRaw(bytes(USDT.raw))))).toBe(USDT.id);
    expect(decodeRaw(bytes(USDT.raw)).owner).toBe(USDT.owner);
    expect(hex(decodeSigned(plain).raw)).toBe(USDT.raw);
  });

  it("has the signature that another implementation makes with the same key, and tronweb finds its address", async () => {
    const { r, s, yParity } = await sign({ hash: `0x${WALLET_CORE.id}`, privateKey: WALLET_CORE.key });
    expect(`${r.slice(2)}${s.slice(2)}0${yParity}`).toBe(WALLET_CORE.signature);
    const found = utils.crypto.ecRecover(WALLET_CORE.id, WALLET_CORE.signature);
    expect(utils.address.fromHex(found)).toBe(WALLET_CORE.address);
  });

  it("is refused with any changed field, and with another sender's signature", async () => {
    const { transfer } = WALLET_CORE;
    const signedFor = async (changed: TronTransfer) => {
      const raw = encodeRaw(changed);
      const hash = createHash("sha256").update(raw).digest("hex");
      const { r, s, yParity } = await sign({ hash: `0x${hash}`, privateKey: WALLET_CORE.key });
      return encodeSigned(raw, bytes(`${r.slice(2)}${s.slice(2)}${yParity === 0 ? "1b" : "1c"}`));
    };
    const unsigned = unsignedOf(transfer);
    expect(await checkSigned(await signedFor(transfer), unsigned)).toBe(idOf(bytes(unsigned.bytes)));
    const other = USDT.owner;
    const changes: [string, Partial<TronTransfer>][] = [
      ["sender", { owner: other }],
      ["token", { token: other }],
      ["recipient", { recipient: other }],
      ["amount", { amountBase: 1_001n }],
      ["memo", { memo: "x" }],
      ["expiration", { expiration: transfer.expiration + 1 }],
      ["fee", { feeLimitSun: 1n }],
    ];
    for (const [field, change] of changes) {
      const signed = await signedFor({ ...transfer, ...change });
      await expect(checkSigned(signed, unsigned), field).rejects.toThrow("other bytes");
      const { bytes: changed } = unsignedOf({ ...transfer, ...change });
      await expect(checkSigned(signed, { ...unsigned, bytes: changed }), field).rejects.toThrow(`another ${field}`);
    }
    for (const change of [{ timestamp: 1 }, { refBlock: { height: 1, hash: transfer.refBlock.hash } }])
      await expect(checkSigned(await signedFor({ ...transfer, ...change }), unsigned)).rejects.toThrow("other bytes");
    const foreign = encodeSigned(bytes(unsigned.bytes), bytes(USDT.signature));
    await expect(checkSigned(foreign, unsigned)).rejects.toThrow("another sender");
  });

  it("is refused with no signature, two of them, a short one, and when it is no transaction", async () => {
    const unsigned = unsignedOf(WALLET_CORE.transfer);
    const once = encodeSigned(bytes(unsigned.bytes), bytes(WALLET_CORE.signature));
    const twice = `${once}${once.slice(-134)}`;
    const short = encodeSigned(bytes(unsigned.bytes), bytes(WALLET_CORE.signature.slice(2)));
    for (const signed of [once.slice(0, -134), twice, short, "", "0a", "hello", unsigned.bytes])
      await expect(checkSigned(signed, unsigned), signed).rejects.toBeInstanceOf(Rejected);
  });
});
