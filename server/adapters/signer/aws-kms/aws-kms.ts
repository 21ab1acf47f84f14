import type { KMSClient } from "@aws-sdk/client-kms";
import { digestSigner, pointOfSpki, readDerSignature } from "#server/adapters/signer/digest-signer.ts";
import { Rejected, type Signer, Unreachable } from "#server/ports.ts";

export type AwsKmsSettings = {
  /** Id, ARN or alias of an asymmetric key of the kind ECC_SECG_P256K1, made to sign. */
  key: string;
  region: string;
  address: string;
  /** null: the region's own. */
  endpoint: string | null;
  timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;
/** Tries within one timeout; after that the payment waits, and is tried again. */
const TRIES = 3;

/** Errors of KMS about the key or our rights, which are permanent. */
const REFUSALS = new Set([
  "AccessDeniedException",
  "DisabledException",
  "InvalidArnException",
  "InvalidGrantTokenException",
  "InvalidKeyUsageException",
  "KMSInvalidStateException",
  "NotFoundException",
  "UnsupportedOperationException",
  "ValidationException",
]);

type Kms = { sdk: typeof import("@aws-sdk/client-kms"); client: KMSClient };

/**
 * A wallet's key in AWS KMS, which signs digests and never reveals the key. The SDK finds our credentials as usual: variables, a web
 * identity, the machine's role. Throttling, timeouts and KMS's own errors are not answers: the payment waits.
 */
export function awsKmsSigner({ key, region, address, endpoint, timeoutMs = TIMEOUT_MS }: AwsKmsSettings): Signer {
  const name = `the KMS key ${key}`;
  let opened: Promise<Kms> | null = null;

  async function open(): Promise<Kms> {
    const sdk = await import("@aws-sdk/client-kms").catch(() => {
      throw new Rejected("@aws-sdk/client-kms is not installed: npm install --include=optional");
    });
    // Shorter than our own deadline, so that a second try still fits in.
    const requestHandler = { connectionTimeout: timeoutMs / 5, requestTimeout: timeoutMs / 2, throwOnRequestTimeout: true };
    const place = endpoint === null ? {} : { endpoint };
    return { sdk, client: new sdk.KMSClient({ region, ...place, maxAttempts: TRIES, requestHandler }) };
  }

  async function ask<Response>(question: (kms: Kms, abortSignal: AbortSignal) => Promise<Response>): Promise<Response> {
    opened ??= open();
    opened.catch(() => {
      opened = null;
    });
    const kms = await opened;
    try {
      return await question(kms, AbortSignal.timeout(timeoutMs));
    } catch (error) {
      throw toTrouble(name, error);
    }
  }

  return digestSigner("aws-kms", address, {
    name,
    async publicKey() {
      const answer = await ask(({ sdk, client }, abortSignal) => client.send(new sdk.GetPublicKeyCommand({ KeyId: key }), { abortSignal }));
      return pointOfSpki(answer.PublicKey ?? new Uint8Array(), name);
    },
    async sign(digest) {
      const order = { KeyId: key, Message: digest, MessageType: "DIGEST", SigningAlgorithm: "ECDSA_SHA_256" } as const;
      const answer = await ask(({ sdk, client }, abortSignal) => client.send(new sdk.SignCommand(order), { abortSignal }));
      return readDerSignature(answer.Signature ?? new Uint8Array(), name);
    },
  });
}

/** Permanent only where KMS says so. Everything else (expired credentials, a wrong clock, silence) may pass. */
function toTrouble(name: string, error: unknown): Error {
  const kind = error instanceof Error ? error.name : "";
  const message = error instanceof Error ? error.message : String(error);
  if (REFUSALS.has(kind)) return new Rejected(`${name} is refused: ${kind}: ${message}`);
  return new Unreachable(`${name} cannot be asked: ${kind}: ${message}`, { cause: error });
}
