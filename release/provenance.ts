/**
 * Where the files of a release come from, as an in-toto statement with SLSA's predicate (v1), and signed in a bundle of Sigstore's form
 * (DSSE, with a key instead of a certificate). Pure: nothing here asks git or the network.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";

const TYPE = "https://in-toto.io/Statement/v1";
const PREDICATE = "https://slsa.dev/provenance/v1";
const PAYLOAD_TYPE = "application/vnd.in-toto+json";
const BUNDLE_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";

const sha256 = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) });
const Statement = z.strictObject({
  _type: z.literal(TYPE),
  subject: z.array(z.strictObject({ name: z.string(), digest: sha256 })).min(1),
  predicateType: z.literal(PREDICATE),
  predicate: z.strictObject({
    buildDefinition: z.strictObject({
      buildType: z.string(),
      externalParameters: z.strictObject({ version: z.string() }),
      internalParameters: z.strictObject({}),
      resolvedDependencies: z.array(
        z.strictObject({ name: z.string(), uri: z.string().optional(), digest: z.record(z.string(), z.string()) }),
      ),
    }),
    runDetails: z.strictObject({ builder: z.strictObject({ id: z.string() }), metadata: z.strictObject({ finishedOn: z.string() }) }),
  }),
});
export type Statement = z.infer<typeof Statement>;

const Bundle = z.strictObject({
  mediaType: z.literal(BUNDLE_TYPE),
  verificationMaterial: z.strictObject({ publicKey: z.strictObject({ hint: z.string() }), tlogEntries: z.array(z.never()) }),
  dsseEnvelope: z.strictObject({
    payload: z.base64(),
    payloadType: z.literal(PAYLOAD_TYPE),
    signatures: z.array(z.strictObject({ sig: z.base64(), keyid: z.string() })).length(1),
  }),
});

export type Materials = {
  version: string;
  /** The commit that the files were built from. */
  commit: string;
  /** Its lockfile, which names every package with its hash. */
  lockfileSha256: string;
  /** The Node in each package, as nodejs.org publishes it. */
  nodes: readonly { version: string; published: string; published_sha256: string }[];
  /** The image's base, as the Dockerfile names it: `name:tag@sha256:…`. */
  baseImage: string;
  /** The build platform, as a URI. */
  builder: string;
  finishedOn: string;
};

/** The statement over these files, by their SHA-256. */
export function makeStatement(sums: ReadonlyMap<string, string>, from: Materials): Statement {
  const [image = "", digest = ""] = from.baseImage.split("@sha256:");
  return Statement.parse({
    _type: TYPE,
    subject: [...sums].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, sum]) => ({ name, digest: { sha256: sum } })),
    predicateType: PREDICATE,
    predicate: {
      buildDefinition: {
        buildType: "urn:settlement-service:release:v1",
        externalParameters: { version: from.version },
        internalParameters: {},
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: from.commit } },
          { name: "package-lock.json", digest: { sha256: from.lockfileSha256 } },
          ...from.nodes.map(({ version, published, published_sha256 }) => ({
            name: published,
            uri: `https://nodejs.org/dist/v${version}/${published}`,
            digest: { sha256: published_sha256 },
          })),
          { name: image, uri: `docker://docker.io/library/${image}`, digest: { sha256: digest } },
        ],
      },
      runDetails: { builder: { id: from.builder }, metadata: { finishedOn: from.finishedOn } },
    },
  });
}

/** @throws Error where it is no statement of this form */
export function readStatement(text: string): Statement {
  return Statement.parse(JSON.parse(text));
}

/** DSSE's pre-authentication encoding: what is signed says what it is, so it cannot pass for anything else. */
export function signedBytes(payloadType: string, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `), payload]);
}

/** The bundle as text. `key` is the release's private Ed25519 key. */
export function signStatement(statement: Statement, key: KeyObject): string {
  const payload = Buffer.from(JSON.stringify(statement));
  const keyid = keyIdOf(createPublicKey(key));
  const bundle: z.infer<typeof Bundle> = {
    mediaType: BUNDLE_TYPE,
    verificationMaterial: { publicKey: { hint: keyid }, tlogEntries: [] },
    dsseEnvelope: {
      payload: payload.toString("base64"),
      payloadType: PAYLOAD_TYPE,
      signatures: [{ sig: sign(null, signedBytes(PAYLOAD_TYPE, payload), key).toString("base64"), keyid }],
    },
  };
  return `${JSON.stringify(bundle, null, 2)}\n`;
}

/** @throws Error where it is no such bundle, or another key or another text was signed */
export function openBundle(text: string, key: KeyObject): Statement {
  const { dsseEnvelope } = Bundle.parse(JSON.parse(text));
  const payload = Buffer.from(dsseEnvelope.payload, "base64");
  const signature = Buffer.from(dsseEnvelope.signatures[0]?.sig ?? "", "base64");
  if (!verify(null, signedBytes(PAYLOAD_TYPE, payload), key, signature)) throw new Error("The attestation's signature does not verify.");
  return readStatement(payload.toString());
}

/** The SHA-256 of the public key's SubjectPublicKeyInfo. */
function keyIdOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}
