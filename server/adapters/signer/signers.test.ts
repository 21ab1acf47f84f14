import { createCipheriv, randomBytes, scryptSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { keccak256 } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { checkSigned } from "#server/adapters/chain/evm/check-signed.ts";
import { type EvmTransaction, Rejected, Unreachable } from "#server/ports.ts";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "#testing/certificate.ts";
import { readOrMakeKey } from "./key-file.ts";
import { openKeystore, sealKeystore } from "./keystore-v3.ts";
import { localKeySigner } from "./local-key.ts";
import { openSigners } from "./open-signers.ts";
import { remoteSigner } from "./remote.ts";

// The published test vectors of the Web3 Secret Storage definition.
const KEY = "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
const PBKDF2 = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    ciphertext: "5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46",
    kdf: "pbkdf2",
    kdfparams: { c: 262144, dklen: 32, prf: "hmac-sha256", salt: "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd" },
    mac: "517ead924a9d0dc3124507e3393d175ce3ff7c1e96529c6c555ce9e51205e9b2",
  },
  id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
  version: 3,
};
const SCRYPT = {
  crypto: {
    cipher: "aes-128-ctr",
    cipherparams: { iv: "83dbcc02d8ccb40e466191a123791e0e" },
    ciphertext: "d172bf743a674da9cdad04534d56926ef8358534d458fffccd4e6ad2fbde479c",
    kdf: "scrypt",
    kdfparams: { dklen: 32, n: 262144, p: 8, r: 1, salt: "ab0c7876052600dd703518d6fc3fe8984592145b591fc8fb5c6d43190334ba19" },
    mac: "2103ac29920d71da29f15d75b4a16dbe95cfd7ff8faea1056c33131d846e3097",
  },
  id: "3198bc9c-6672-5ab3-d995-4942343ae5b6",
  version: 3,
};

const UNSIGNED: EvmTransaction = {
  to: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
  valueBase: 0n,
  data: "0xa9059cbb00",
  chainId: 31337,
  nonce: 0,
  gasLimit: 60_000n,
  maxFeePerGas: 3_000_000_000n,
  maxPriorityFeePerGas: 1_000_000_000n,
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "settlement-signers-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("an encrypted keystore", () => {
  it("of our own making opens with its password, in the form that other tools read", async () => {
    const key = generatePrivateKey();
    const made = await sealKeystore(key, privateKeyToAccount(key).address, "a password of some length");
    expect(await openKeystore(JSON.stringify(made), "a password of some length")).toBe(key);
    expect(JSON.stringify(made)).not.toContain(key.slice(2));
    expect(made).toMatchObject({ version: 3, crypto: { kdf: "scrypt", kdfparams: { n: 262_144, r: 8, p: 1, dklen: 32 } } });
  });

  it("opens both key derivations of the published vectors", async () => {
    expect(await openKeystore(JSON.stringify(PBKDF2), "testpassword")).toBe(KEY);
    expect(await openKeystore(JSON.stringify(SCRYPT), "testpassword")).toBe(KEY);
  });

  it("opens what geth writes (r = 8, p = 1)", async () => {
    // Made with node's own scrypt and AES, independently of the code under test.
    const salt = randomBytes(32);
    const iv = randomBytes(16);
    const derived = scryptSync("another password", salt, 32, { N: 4096, r: 8, p: 1 });
    const cipher = createCipheriv("aes-128-ctr", derived.subarray(0, 16), iv);
    const ciphertext = cipher.update(Buffer.from(KEY.slice(2), "hex"));
    const mac = keccak256(Buffer.concat([derived.subarray(16), ciphertext])).slice(2);
    const kdfparams = { dklen: 32, n: 4096, r: 8, p: 1, salt: salt.toString("hex") };
    const sealed = {
      cipher: "aes-128-ctr",
      cipherparams: { iv: iv.toString("hex") },
      ciphertext: ciphertext.toString("hex"),
      kdf: "scrypt",
      kdfparams,
      mac,
    };
    expect(await openKeystore(JSON.stringify({ version: 3, Crypto: sealed }), "another password")).toBe(KEY);
  });

  it("refuses a wrong password, a changed byte, and what is no keystore, naming neither key nor password", async () => {
    await expect(openKeystore(JSON.stringify(PBKDF2), "wrong-password")).rejects.toThrow(
      "the keystore's password is wrong, or the file is damaged",
    );
    const ciphertext = `00${PBKDF2.crypto.ciphertext.slice(2)}`;
    await expect(openKeystore(JSON.stringify({ ...PBKDF2, crypto: { ...PBKDF2.crypto, ciphertext } }), "testpassword")).rejects.toThrow(
      "damaged",
    );
    for (const text of ["", "{}", "[]", JSON.stringify({ ...PBKDF2, version: 1 })]) {
      await expect(openKeystore(text, "testpassword")).rejects.toThrow("no Web3 Secret Storage of version 3");
    }
    const greedy = { ...SCRYPT.crypto, kdfparams: { ...SCRYPT.crypto.kdfparams, n: 2 ** 30, r: 64 } };
    await expect(openKeystore(JSON.stringify({ ...SCRYPT, crypto: greedy }), "testpassword")).rejects.toThrow("more memory");
  });

  it("signs what it is asked to sign, from a file", async () => {
    const file = join(folder, "keystore.json");
    writeFileSync(file, JSON.stringify(PBKDF2));
    const [signer] = openSigners([{ chain: "eip155:1", wallets: [{ signer: "keystore", file, password: "testpassword" }] }]).of("eip155:1");
    const address = await signer?.address();
    expect(address).toBe(privateKeyToAccount(KEY).address);
    const raw = (await signer?.signTransaction(UNSIGNED)) ?? "";
    expect(await checkSigned(raw, UNSIGNED, address ?? "")).toMatch(/^0x[0-9a-f]{64}$/);
  });
});

describe("the sandbox's key file", () => {
  it("is made once, for its owner alone, however many start at once, and kept", async () => {
    const file = join(folder, "deep", "key");
    const keys = await Promise.all(Array.from({ length: 8 }, () => readOrMakeKey(file)));
    expect(new Set(keys).size).toBe(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await readOrMakeKey(file)).toBe(readFileSync(file, "utf8").trim());
  });

  it("is never replaced when it holds something else", async () => {
    const file = join(folder, "broken");
    writeFileSync(file, "not a key");
    await expect(readOrMakeKey(file)).rejects.toThrow("holds no private key");
  });
});

describe("the comparison of what a signer answered", () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const signer = localKeySigner(async () => KEY);

  it("refuses every field that differs, and another sender", async () => {
    const address = await signer.address();
    const changes: [string, Partial<EvmTransaction>][] = [
      ["chain id", { chainId: 1 }],
      ["nonce", { nonce: 1 }],
      ["recipient", { to: account.address }],
      ["recipient", { to: null }],
      ["value", { valueBase: 1n }],
      ["data", { data: "0xa9059cbb01" }],
      ["gas limit", { gasLimit: 60_001n }],
      ["fee", { maxFeePerGas: 3_000_000_001n }],
      ["tip", { maxPriorityFeePerGas: 1n }],
    ];
    for (const [field, change] of changes) {
      const raw = await signer.signTransaction({ ...UNSIGNED, ...change });
      await expect(checkSigned(raw, UNSIGNED, address), field).rejects.toThrow(`another ${field}`);
    }
    await expect(checkSigned(await signer.signTransaction(UNSIGNED), UNSIGNED, account.address)).rejects.toThrow("another sender");
  });

  it("refuses what is no signed EIP-1559 transaction", async () => {
    const legacy = await account.signTransaction({
      type: "legacy",
      chainId: 31337,
      nonce: 0,
      to: account.address,
      gas: 21_000n,
      gasPrice: 1n,
    });
    for (const raw of ["", "0x", "0x02", "0x02ff", "hello", legacy]) {
      await expect(checkSigned(raw, UNSIGNED, account.address)).rejects.toBeInstanceOf(Rejected);
    }
  });
});

describe("a remote signer", () => {
  let server: Server | null = null;
  const asked: unknown[] = [];
  afterEach(async () => {
    asked.length = 0;
    server?.closeAllConnections();
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
    server = null;
  });

  async function answering(answer: (params: unknown) => Promise<object>): Promise<string> {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", async () => {
        const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string; params: unknown[] };
        asked.push(method, params[0]);
        response.setHeader("content-type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, ...(await answer(params[0])) }));
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    return `http://user:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("is asked with eth_signTransaction, and both shapes of its answer are read", async () => {
    const local = localKeySigner(async () => KEY);
    const address = await local.address();
    for (const shape of [(raw: string) => ({ result: raw }), (raw: string) => ({ result: { raw, tx: {} } })]) {
      const url = await answering(async () => shape(await local.signTransaction(UNSIGNED)));
      const raw = await remoteSigner({ url, address }).signTransaction(UNSIGNED);
      expect(await checkSigned(raw, UNSIGNED, address)).toMatch(/^0x/);
      server?.closeAllConnections();
      server?.close();
    }
    expect(asked.slice(0, 2)).toEqual([
      "eth_signTransaction",
      {
        from: address,
        to: UNSIGNED.to,
        gas: "0xea60",
        maxFeePerGas: "0xb2d05e00",
        maxPriorityFeePerGas: "0x3b9aca00",
        value: "0x0",
        nonce: "0x0",
        data: "0xa9059cbb00",
      },
    ]);
  });

  it("that demands a client's certificate signs for who has it, and for nobody else", async () => {
    const local = localKeySigner(async () => KEY);
    const address = await local.address();
    const folder = mkdtempSync(join(tmpdir(), "certificate-"));
    const [certFile, keyFile] = [join(folder, "cert.pem"), join(folder, "key.pem")];
    writeFileSync(certFile, TEST_CERTIFICATE);
    writeFileSync(keyFile, TEST_CERTIFICATE_KEY);
    // The test's own authority has issued both sides' certificates.
    const tls = { cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY, ca: TEST_CERTIFICATE, requestCert: true, rejectUnauthorized: true };
    const guarded = createTlsServer(tls, async (request, response) => {
      const { id } = JSON.parse(await text(request));
      response.setHeader("content-type", "application/json").end(JSON.stringify({ id, result: await local.signTransaction(UNSIGNED) }));
    });
    await new Promise<void>((resolve) => guarded.listen(0, "127.0.0.1", resolve));
    const url = `https://localhost:${(guarded.address() as AddressInfo).port}`;
    const raw = await remoteSigner({ url, address, clientCertificate: { certFile, keyFile, caFile: certFile } }).signTransaction(UNSIGNED);
    expect(await checkSigned(raw, UNSIGNED, address)).toMatch(/^0x/);
    for (const clientCertificate of [null, { certFile, keyFile, caFile: null }]) {
      const refused = remoteSigner({ url, address, clientCertificate }).signTransaction(UNSIGNED);
      await expect(refused).rejects.toBeInstanceOf(Unreachable);
    }
    guarded.closeAllConnections();
    await new Promise((resolve) => guarded.close(resolve));
    rmSync(folder, { recursive: true });
  });

  it("that refuses is a fact, that is silent is none, and neither names its password", async () => {
    const address = privateKeyToAccount(KEY).address;
    const url = await answering(async () => ({ error: { code: -32000, message: "unknown account" } }));
    const refused = await remoteSigner({ url, address })
      .signTransaction(UNSIGNED)
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Rejected);
    const silent = await remoteSigner({ url: "http://user:secret@127.0.0.1:1", address })
      .signTransaction(UNSIGNED)
      .catch((error: unknown) => error);
    expect(silent).toBeInstanceOf(Unreachable);
    expect(`${refused} ${silent} ${JSON.stringify([refused, silent])}`).not.toContain("secret");
  });
});
