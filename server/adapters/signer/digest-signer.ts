import { createPublicKey } from "node:crypto";
import type { Hex } from "viem";
import { publicKeyToAddress } from "viem/accounts";
import { hashTypedData, hexToBytes, isAddressEqual, keccak256, recoverAddress, serializeTransaction, toHex } from "viem/utils";
import type { SignerKind } from "#domain/wallet.ts";
import { type EvmTransaction, Rejected, type Signer } from "#server/ports.ts";
import { eip1559 } from "./eip1559.ts";
import { safeTypedData } from "./safe-typed-data.ts";

/** A key that signs 32 bytes and nothing else: it knows neither transactions nor Ethereum. @throws Unreachable, Rejected */
export type DigestKey = {
  /** For logs; no secret. */
  name: string;
  /** The point on the curve, 65 bytes from 04. */
  publicKey(): Promise<Uint8Array>;
  /** ECDSA over exactly these bytes. Either `s` is fine. */
  sign(digest: Uint8Array): Promise<{ r: bigint; s: bigint }>;
};

/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/**
 * Turns a key behind a narrow interface (a token, a cloud's key service) into a wallet's signer. The configured address is the wallet's:
 * before the first signature the key's own address is compared with it, and each signature must recover to it. This adds what such a key
 * leaves open: `s` in the lower half (the network accepts no other), and the recovery bit, by trying.
 */
export function digestSigner(kind: SignerKind, wallet: string, key: DigestKey): Signer {
  const address = toAddress(wallet);
  let checked: Promise<void> | null = null;

  function check(): Promise<void> {
    checked ??= compare();
    // A failed lookup is repeated; a found address is final.
    checked.catch(() => {
      checked = null;
    });
    return checked;
  }

  async function compare(): Promise<void> {
    const own = publicKeyToAddress(toHex(await key.publicKey()));
    if (!isAddressEqual(own, address)) throw new Rejected(`${key.name} is the key of ${own}, not of the configured wallet ${address}`);
  }

  async function sign(digest: Hex): Promise<{ r: Hex; s: Hex; yParity: number }> {
    const { r, s } = await key.sign(hexToBytes(digest));
    if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER) throw new Rejected(`${key.name} answered with something that is no signature`);
    const low = s > ORDER / 2n ? ORDER - s : s;
    for (const yParity of [0, 1]) {
      const signature = { r: toHex(r, { size: 32 }), s: toHex(low, { size: 32 }), yParity };
      const signer = await recoverAddress({ hash: digest, signature }).catch(() => null);
      if (signer !== null && isAddressEqual(signer, address)) return signature;
    }
    throw new Rejected(`${key.name} answered with a signature that is not the configured wallet's`);
  }

  return {
    kind,
    address: async () => address,
    check,
    async signTransaction(unsigned: EvmTransaction) {
      await check();
      const transaction = eip1559(unsigned);
      return serializeTransaction(transaction, await sign(keccak256(serializeTransaction(transaction))));
    },
    async signSafeTransaction(transaction) {
      await check();
      const { r, s, yParity } = await sign(hashTypedData(safeTypedData(transaction)));
      return `${r}${s.slice(2)}${yParity === 0 ? "1b" : "1c"}`;
    },
  };
}

/** The point in a public key as DER (SubjectPublicKeyInfo). @throws Rejected for anything but a key on secp256k1. */
export function pointOfSpki(der: Uint8Array, name: string): Uint8Array {
  const { crv, x, y } = readSpki(der) ?? {};
  if (crv !== "secp256k1" || x === undefined || y === undefined) throw new Rejected(`${name} is no key on the curve secp256k1`);
  return Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
}

function readSpki(der: Uint8Array): { crv?: string; x?: string; y?: string } | null {
  try {
    return createPublicKey({ key: Buffer.from(der), format: "der", type: "spki" }).export({ format: "jwk" });
  } catch {
    return null;
  }
}

/** `r` and `s` of a signature as DER. @throws Rejected */
export function readDerSignature(der: Uint8Array, name: string): { r: bigint; s: bigint } {
  const hex = Buffer.from(der).toString("hex");
  const r = readInteger(hex, 4);
  const s = r && readInteger(hex, r.end);
  const isWhole = der[0] === 0x30 && der[1] === der.length - 2 && s?.end === hex.length;
  if (!r || !s || !isWhole) throw new Rejected(`${name} answered with something that is no signature`);
  return { r: r.value, s: s.value };
}

/** `at` and `end` count hexadecimal digits. */
function readInteger(hex: string, at: number): { value: bigint; end: number } | null {
  const length = Number.parseInt(hex.slice(at + 2, at + 4), 16);
  const end = at + 4 + length * 2;
  const digits = hex.slice(at + 4, end);
  if (hex.slice(at, at + 2) !== "02" || !(length > 0 && length <= 33) || digits.length !== length * 2) return null;
  return { value: BigInt(`0x${digits}`), end };
}

function toAddress(text: string): Hex {
  return `0x${text.replace(/^0x/, "")}`;
}
