import { createHash, createHmac, generateKeyPairSync, type KeyObject, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { type Hex, toHex } from "viem";
import { publicKeyToAddress, sign } from "viem/accounts";

export const KMS_REGION = "eu-central-1";
export const KMS_ACCOUNT = { AWS_ACCESS_KEY_ID: "AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

type Asked = { action: string; order: Record<string, unknown> /** How often before. */; times: number };
/** Its fault: a status with an error type, silence, or another answer. */
type Mischief = { status: number; kind: string } | "silence" | { answer: Record<string, unknown> } | null;

export type Kms = Awaited<ReturnType<typeof startKms>>;

/**
 * A local stand-in for AWS KMS: real keys on secp256k1, and requests are only accepted with a valid signature (version 4) over method,
 * path, headers and body. Every second signature has its `s` in the upper half, as the real one's may.
 */
export async function startKms() {
  const keys = new Map<string, { publicKey: KeyObject; secret: Hex }>();
  const asked: Asked[] = [];
  const state = { meddle: (_asked: Asked): Mischief => null, signatures: 0 };
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    const say = (status: number, answer: object) =>
      response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(answer));
    const fault = signatureFault(request, body);
    if (fault !== null) return say(400, { __type: "IncompleteSignatureException", message: fault });
    const action = String(request.headers["x-amz-target"]).replace("TrentService.", "");
    const order: Record<string, unknown> = JSON.parse(body.toString());
    const note = { action, order, times: asked.filter((one) => one.action === action).length };
    asked.push(note);
    const mischief = state.meddle(note);
    if (mischief === "silence") return;
    if (mischief !== null && "status" in mischief) return say(mischief.status, { __type: mischief.kind, message: "so it is" });
    if (mischief !== null) return say(200, mischief.answer);
    const key = keys.get(String(order.KeyId));
    if (key === undefined) return say(400, { __type: "NotFoundException", message: "there is no such key" });
    if (action === "GetPublicKey") return say(200, { PublicKey: key.publicKey.export({ type: "spki", format: "der" }).toString("base64") });
    if (order.MessageType !== "DIGEST" || order.SigningAlgorithm !== "ECDSA_SHA_256") return say(400, { __type: "ValidationException" });
    state.signatures += 1;
    const { r, s } = await sign({ hash: toHex(Buffer.from(String(order.Message), "base64")), privateKey: key.secret });
    const half = state.signatures % 2 === 0 ? ORDER - BigInt(s) : BigInt(s);
    return say(200, { Signature: derOf(BigInt(r), half).toString("base64") });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    state,
    /** Makes a key of that id, and answers its address. */
    makeKey(id: string, curve = "secp256k1"): Hex {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: curve });
      const { d, x, y } = privateKey.export({ format: "jwk" });
      const hex = (part = "") => Buffer.from(part, "base64url").toString("hex");
      keys.set(id, { publicKey, secret: `0x${hex(d)}` });
      return publicKeyToAddress(`0x04${hex(x)}${hex(y)}`);
    },
    async stop(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A signature as KMS writes it: a SEQUENCE of two INTEGERs. */
function derOf(...numbers: bigint[]): Buffer {
  const integers = numbers.map((number) => {
    const hex = number.toString(16);
    const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
    const whole = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
    return Buffer.concat([Buffer.of(2, whole.length), whole]);
  });
  const body = Buffer.concat(integers);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What is wrong with a request's signature; null: it is the account's, over exactly this request, of the last five minutes. */
function signatureFault(request: IncomingMessage, body: Buffer): string | null {
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? "",
  );
  const [, credential = "", names = "", signature = ""] = given ?? [];
  const [account, day = "", region = "", service = "", end] = credential.split("/");
  const at = String(request.headers["x-amz-date"]);
  if (given === null || account !== KMS_ACCOUNT.AWS_ACCESS_KEY_ID || end !== "aws4_request") return "it names nobody";
  if (region !== KMS_REGION || service !== "kms" || !at.startsWith(day)) return "it is meant for another place or day";
  const instant = Date.parse(at.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - instant) < 5 * 60_000)) return "it is old";
  if (!["host", "x-amz-target", "x-amz-date"].every((name) => names.split(";").includes(name))) return "it leaves out what matters";
  const headers = names.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, request.url, "", headers.join(""), names, sha256(body)].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", at, scope, sha256(Buffer.from(canonical))].join("\n");
  const key = [day, region, service, "aws4_request"].reduce<Buffer>(hmac, Buffer.from(`AWS4${KMS_ACCOUNT.AWS_SECRET_ACCESS_KEY}`));
  return timingSafeEqual(hmac(key, text), Buffer.from(signature, "hex")) ? null : "it is not the account's";
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
