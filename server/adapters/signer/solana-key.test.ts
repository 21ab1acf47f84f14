import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKeyPairSignerFromPrivateKeyBytes, getTransactionDecoder } from "@solana/kit";
import { afterAll, describe, expect, it } from "vitest";
import { Rejected } from "#server/ports.ts";
import { readOrMakeKey } from "./key-file.ts";
import { openKeystore } from "./keystore-v3.ts";
import { solanaKey } from "./solana-key.ts";

const folder = mkdtempSync(join(tmpdir(), "solana-key-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** RFC 8032, section 7.1, test 3: key, and the signature of the bytes af82. */
const SEED = "0xc5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7";
const SIGNATURE =
  "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a";

const KEYSTORE = {
  version: 3,
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: { c: 262144, dklen: 32, prf: "hmac-sha256", salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd" },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  },
};

describe("a key of Solana", () => {
  it("signs as RFC 8032 says", async () => {
    const raw = Buffer.from(await solanaKey(async () => SEED).sign(Buffer.from("af82", "hex").toString("base64")), "base64");
    expect(raw.subarray(0, 65).toString("hex")).toBe(`01${SIGNATURE}`);
    expect(raw.subarray(65).toString("hex")).toBe("af82");
  });

  it("has the address that Solana's own library derives, from a file that is made once", async () => {
    const file = join(folder, "treasury.key");
    const key = solanaKey(() => readOrMakeKey(file));
    const address = await key.address();
    const seed = Buffer.from((await readOrMakeKey(file)).slice(2), "hex");
    expect(address).toBe((await createKeyPairSignerFromPrivateKeyBytes(seed)).address);
    expect(await solanaKey(() => readOrMakeKey(file)).address()).toBe(address);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("opens from a keystore of the usual form: the test vector of Web3 Secret Storage", async () => {
    const key = solanaKey(async () => openKeystore(JSON.stringify(KEYSTORE), "testpassword"), "keystore");
    const own = solanaKey(async () => "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d");
    expect([key.kind, await key.address()]).toEqual(["keystore", await own.address()]);
  });

  it.each(["", "0x", "0x1234", `${SEED}00`, SEED.slice(2), "[1,2,3]"])("refuses a file that says %j", async (text) => {
    const file = join(folder, `bad-${Buffer.from(text).toString("hex").slice(0, 20)}.key`);
    writeFileSync(file, text);
    await expect(solanaKey(() => readOrMakeKey(file)).address()).rejects.toThrow("holds no private key");
  });

  it.each(["", "not base 64", "YQ"])("does not sign %j", async (bytes) => {
    await expect(solanaKey(async () => SEED).sign(bytes)).rejects.toThrow(Rejected);
  });

  it("tries again to open a key that could not be opened", async () => {
    let tries = 0;
    const key = solanaKey(async () => {
      tries += 1;
      if (tries === 1) throw new Error("not now");
      return SEED;
    });
    await expect(key.address()).rejects.toThrow("not now");
    const { messageBytes } = getTransactionDecoder().decode(Buffer.from(await key.sign(anyMessage()), "base64"));
    expect(messageBytes.length).toBeGreaterThan(0);
  });
});

/** A message with one signer and no instruction, as short as they are. */
function anyMessage(): string {
  return Buffer.concat([Buffer.of(0x80, 1, 0, 0, 1), Buffer.alloc(32, 7), Buffer.alloc(32, 9), Buffer.of(0, 0)]).toString("base64");
}
