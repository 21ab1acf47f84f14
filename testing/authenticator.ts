import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A device with passkeys, in software: it answers as WebAuthn specifies, byte by byte. A test may make it lie. */

type Options = { challenge: string };
export type Lies = {
  /** The page that it believes to be shown. */
  origin?: string;
  rpId?: string;
  /** Whether it verified its user; otherwise only a touch. */
  verifies?: boolean;
};

export class Authenticator {
  readonly credentialId = randomBytes(32).toString("base64url");
  count = 0;
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #home: { origin: string; rpId: string };

  constructor(origin = "http://localhost:3000") {
    this.#home = { origin, rpId: new URL(origin).hostname };
  }

  /** Creates its key, and returns the answer. */
  create({ challenge }: Options, lies: Lies = {}) {
    const id = Buffer.from(this.credentialId, "base64url");
    const length = Buffer.from([id.length >> 8, id.length & 0xff]);
    const data = Buffer.concat([this.#data(0x40, lies), Buffer.alloc(16), length, id, coseOf(this.#keys.publicKey)]);
    // CBOR of {fmt: "none", attStmt: {}, authData}.
    const head = Buffer.concat([Buffer.from([0xa3]), text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData")]);
    const attestationObject = Buffer.concat([head, bytes(data)]).toString("base64url");
    const clientDataJSON = this.#client("webauthn.create", challenge, lies).toString("base64url");
    return this.#answer({ clientDataJSON, attestationObject, transports: ["internal"] });
  }

  /** Signs the challenge. */
  get({ challenge }: Options, lies: Lies = {}) {
    this.count += 1;
    const [data, client] = [this.#data(0, lies), this.#client("webauthn.get", challenge, lies)];
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    const signature = sign("sha256", signed, this.#keys.privateKey).toString("base64url");
    return this.#answer({ clientDataJSON: client.toString("base64url"), authenticatorData: data.toString("base64url"), signature });
  }

  #answer<Response>(response: Response) {
    const { credentialId: id } = this;
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, authenticatorAttachment: "platform", response };
  }

  /** Whose page it is, present (0x01) and recognised (0x04), and how often it signed. */
  #data(flags: number, { rpId = this.#home.rpId, verifies = true }: Lies): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.count);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags | 0x01 | (verifies ? 0x04 : 0)]), count]);
  }

  #client(type: string, challenge: string, { origin = this.#home.origin }: Lies): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}

/** COSE of a key of P-256: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseOf(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const point = (label: number, value: string) => Buffer.concat([Buffer.from([label]), bytes(Buffer.from(value, "base64url"))]);
  return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), point(0x21, x), point(0x22, y)]);
}

function text(word: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | word.length]), Buffer.from(word)]);
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([Buffer.from(value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff]), value]);
}
