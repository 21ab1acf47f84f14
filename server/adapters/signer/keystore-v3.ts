import { createCipheriv, createDecipheriv, pbkdf2, randomBytes, randomUUID, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { scryptAsync } from "@noble/hashes/scrypt";
import type { Hex } from "viem";
import { keccak256 } from "viem/utils";
import { z } from "zod";

const bytes = z
  .string()
  .regex(/^(0x)?([0-9a-fA-F]{2})+$/)
  .transform((text) => Buffer.from(text.replace(/^0x/, ""), "hex"));
const keyLength = z.int().min(32).max(64);
/** Enough for every tool's strongest setting (N = 2^18, r = 8), and no way to exhaust the process. */
const MAX_SCRYPT_BYTES = 1024 ** 3;

const Derivation = z.discriminatedUnion("kdf", [
  z.object({
    kdf: z.literal("scrypt"),
    kdfparams: z.object({ n: z.int().min(2), r: z.int().min(1), p: z.int().min(1).max(64), dklen: keyLength, salt: bytes }),
  }),
  z.object({
    kdf: z.literal("pbkdf2"),
    kdfparams: z.object({ c: z.int().min(1).max(50_000_000), prf: z.literal("hmac-sha256"), dklen: keyLength, salt: bytes }),
  }),
]);

const Sealed = z.object({
  cipher: z.literal("aes-128-ctr"),
  ciphertext: bytes,
  cipherparams: z.object({ iv: bytes }),
  mac: bytes,
});

const Keystore = z.object({ version: z.literal(3), crypto: z.intersection(Sealed, Derivation) });

/**
 * Opens an encrypted keystore (Web3 Secret Storage, version 3: scrypt or PBKDF2, AES-128-CTR, Keccak MAC), as written by geth, Foundry,
 * ethers and web3signer. Node's own scrypt works off the main thread; a synchronous one with the usual N would stall it for a second.
 *
 * @returns the private key. @throws Error when the file is not such a keystore or the password is wrong; it names neither.
 */
export async function openKeystore(text: string, password: string): Promise<Hex> {
  const parsed = Keystore.safeParse(parseJson(text));
  if (!parsed.success) throw new Error("the keystore file is no Web3 Secret Storage of version 3");
  const sealed = parsed.data.crypto;
  const derived = await derive(sealed, password);
  const mac = Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), sealed.ciphertext]), "bytes"));
  if (mac.length !== sealed.mac.length || !timingSafeEqual(mac, sealed.mac))
    throw new Error("the keystore's password is wrong, or the file is damaged");
  const decipher = createDecipheriv("aes-128-ctr", derived.subarray(0, 16), sealed.cipherparams.iv);
  const key = Buffer.concat([decipher.update(sealed.ciphertext), decipher.final()]);
  if (key.length !== 32) throw new Error("the keystore holds no private key");
  return `0x${key.toString("hex")}`;
}

/** N = 2^18, as geth takes by default: a quarter of a gigabyte and a second for each guess. */
const SEALING = { n: 262_144, r: 8, p: 1, dklen: 32 };

/** Encrypts a key in the same form. @returns the content of the file, as JSON. */
export async function sealKeystore(key: Hex, address: string, password: string): Promise<object> {
  const salt = randomBytes(32);
  const iv = randomBytes(16);
  const derived = await derive({ kdf: "scrypt", kdfparams: { ...SEALING, salt } }, password);
  const cipher = createCipheriv("aes-128-ctr", derived.subarray(0, 16), iv);
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(key.slice(2), "hex")), cipher.final()]);
  const hex = (value: Uint8Array) => Buffer.from(value).toString("hex");
  return {
    version: 3,
    id: randomUUID(),
    address: address.slice(2).toLowerCase(),
    crypto: {
      cipher: "aes-128-ctr",
      ciphertext: hex(ciphertext),
      cipherparams: { iv: hex(iv) },
      kdf: "scrypt",
      kdfparams: { ...SEALING, salt: hex(salt) },
      mac: hex(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]), "bytes")),
    },
  };
}

async function derive(sealed: z.infer<typeof Derivation>, password: string): Promise<Buffer> {
  if (sealed.kdf === "pbkdf2") {
    const { c, dklen, salt } = sealed.kdfparams;
    return promisify(pbkdf2)(password, salt, c, dklen, "sha256");
  }
  const { n, r, p, dklen, salt } = sealed.kdfparams;
  const memory = 128 * r * (n + p + 4);
  if (memory > MAX_SCRYPT_BYTES) throw new Error("the keystore asks for more memory than is reasonable");
  // Some tools (eth-keyfile, ox) write r = 1 with N = 2^18, which OpenSSL refuses on principle.
  if (r < 4 && n >= 2 ** (16 * r)) return Buffer.from(await scryptAsync(password, salt, { N: n, r, p, dkLen: dklen, maxmem: memory * 2 }));
  return new Promise((resolve, reject) => {
    scrypt(password, salt, dklen, { N: n, r, p, maxmem: memory * 2 }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function parseJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    // Older writers spell it `Crypto`.
    if (typeof parsed === "object" && parsed !== null && "Crypto" in parsed) return { ...parsed, crypto: parsed.Crypto };
    return parsed;
  } catch {
    return null;
  }
}
