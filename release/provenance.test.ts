import { execFileSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { livePackages } from "#packaging/contents.ts";
import { hashOf, OFFICIAL, officialProgram, refuseOtherNode } from "#scripts/prepare/official-node.mjs";
import { ROOT } from "#scripts/suites.ts";
import { baseImageOf, refuseOtherNodeIn } from "./attest.ts";
import { pinNode } from "./pin-node.ts";
import { makeStatement, openBundle, signedBytes, signStatement } from "./provenance.ts";
import { missingKinds } from "./release-files.ts";

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), "settlement-provenance-"));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const statement = makeStatement(new Map([["settlement-service_1.2.0_amd64.deb", "a".repeat(64)]]), {
  version: "1.2.0",
  commit: "c".repeat(40),
  lockfileSha256: "b".repeat(64),
  nodes: [{ version: "24.21.0", published: "node-v24.21.0-linux-x64.tar.xz", published_sha256: "d".repeat(64) }],
  baseImage: `node:24.21.0-bookworm-slim@sha256:${"e".repeat(64)}`,
  builder: "urn:settlement-service:builder:maintainer",
  finishedOn: "2026-11-28T10:00:00.000Z",
});

describe("an attestation", () => {
  it("names commit, lockfile, Node and base image by their hashes, and opens with its key", () => {
    expect(openBundle(signStatement(statement, privateKey), publicKey)).toEqual(statement);
    const { resolvedDependencies } = statement.predicate.buildDefinition;
    expect(resolvedDependencies.map(({ name, digest }) => [name, ...Object.values(digest)])).toEqual([
      ["source", "c".repeat(40)],
      ["package-lock.json", "b".repeat(64)],
      ["node-v24.21.0-linux-x64.tar.xz", "d".repeat(64)],
      ["node:24.21.0-bookworm-slim", "e".repeat(64)],
    ]);
  });

  it("is signed over DSSE's own encoding, by the example of its specification", () => {
    expect(signedBytes("http://example.com/HelloWorld", Buffer.from("hello world")).toString()).toBe(
      "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
    );
    const { dsseEnvelope } = JSON.parse(signStatement(statement, privateKey));
    const bytes = signedBytes("application/vnd.in-toto+json", Buffer.from(dsseEnvelope.payload, "base64"));
    expect(verify(null, bytes, publicKey, Buffer.from(dsseEnvelope.signatures[0].sig, "base64"))).toBe(true);
  });

  it("is refused with another payload, another type, a signature over the bare payload, or by another key", () => {
    const bundle = JSON.parse(signStatement(statement, privateKey));
    const changed = (change: (envelope: Record<string, unknown>) => void) => {
      const copy = structuredClone(bundle);
      change(copy.dsseEnvelope);
      return () => openBundle(JSON.stringify(copy), publicKey);
    };
    const other = Buffer.from(JSON.stringify(statement).replace("1.2.0", "1.2.1"));
    expect(changed((envelope) => Object.assign(envelope, { payload: other.toString("base64") }))).toThrow(/does not verify/);
    expect(changed((envelope) => Object.assign(envelope, { payloadType: "text/plain" }))).toThrow();
    const bare = sign(null, Buffer.from(bundle.dsseEnvelope.payload, "base64"), privateKey).toString("base64");
    expect(changed((envelope) => Object.assign(envelope, { signatures: [{ sig: bare, keyid: "" }] }))).toThrow(/does not verify/);
    expect(() => openBundle(JSON.stringify(bundle), createPublicKey(generateKeyPairSync("ed25519").privateKey))).toThrow(/does not verify/);
  });
});

describe("the Node that runs everything", () => {
  it("is the program of nodejs.org, byte for byte, of the lockfile's version", () => {
    const { runtime } = livePackages(ROOT);
    const program = officialProgram();
    expect([runtime.version, hashOf(join(ROOT, runtime.folder, "bin", "node"))]).toEqual([OFFICIAL.version, program?.sha256]);
  });

  it("is refused with one byte more, in the clone and in a package", () => {
    const bin = join(work, "tree", "usr", "lib", "settlement-service", "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "node"), "a program");
    const program = { sha256: hashOf(join(bin, "node")) };
    refuseOtherNode(join(bin, "node"), program);
    mkdirSync(join(work, "tree", "DEBIAN"));
    const control = "Package: p\nVersion: 1\nArchitecture: all\nMaintainer: m <m@example.com>\nDescription: d\n";
    writeFileSync(join(work, "tree", "DEBIAN", "control"), control);
    const pack = () => execFileSync("dpkg-deb", ["-Znone", "--build", join(work, "tree"), join(work, "p.deb")], { stdio: "pipe" });
    pack();
    refuseOtherNodeIn(join(work, "p.deb"), program);
    appendFileSync(join(bin, "node"), "!");
    expect(() => refuseOtherNode(join(bin, "node"), program)).toThrow(/is not the Node .* of nodejs\.org/);
    pack();
    expect(() => refuseOtherNodeIn(join(work, "p.deb"), program)).toThrow(/is not the Node .* of nodejs\.org/);
  });

  it("is not run by npm start where the package has another one", () => {
    const clone = join(work, "clone");
    cpSync(join(ROOT, "scripts"), join(clone, "scripts"), { recursive: true });
    const { runtime } = livePackages(ROOT);
    const entry = { version: runtime.version, integrity: "sha512-x", bin: { node: "bin/node" }, os: process.platform, cpu: process.arch };
    const packages = { "": { name: "p" }, [runtime.folder]: entry };
    writeFileSync(join(clone, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
    mkdirSync(join(clone, runtime.folder, "bin"), { recursive: true });
    writeFileSync(join(clone, "node_modules", ".package-lock.json"), JSON.stringify({ packages }));
    writeFileSync(join(clone, runtime.folder, "bin", "node"), `#!/bin/sh\ntouch ${join(work, "ran")}\necho v24.21.0\n`, { mode: 0o755 });
    const script = `import { installPackages } from "./scripts/prepare/packages.mjs"; await installPackages({ live: true });`;
    writeFileSync(join(clone, "package.json"), JSON.stringify({ type: "module", imports: { "#*": "./*" } }));
    writeFileSync(join(clone, "try.mjs"), script);
    expect(() => execFileSync(process.execPath, ["try.mjs"], { cwd: clone, stdio: "pipe" })).toThrow(/is not the Node .* of nodejs\.org/);
    expect(existsSync(join(work, "ran"))).toBe(false);
  });

  it("gets its hashes from the published list, and from no archive that is not on it", () => {
    const folder = join(work, "node-v9.9.9-linux-x64", "bin");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "node"), "a program");
    const archive = join(work, "node-v9.9.9-linux-x64.tar.gz");
    execFileSync("tar", ["-czf", archive, "-C", work, "node-v9.9.9-linux-x64"]);
    const windows = "f".repeat(64);
    const list = `${hashOf(archive)}  node-v9.9.9-linux-x64.tar.gz\n${windows}  win-x64/node.exe\n`;
    expect(pinNode("9.9.9", list, [archive]).programs).toEqual({
      "linux-x64": {
        published: "node-v9.9.9-linux-x64.tar.gz",
        published_sha256: hashOf(archive),
        sha256: hashOf(join(folder, "node")),
      },
      "win32-x64": { published: "win-x64/node.exe", published_sha256: windows, sha256: windows },
    });
    appendFileSync(archive, "!");
    expect(() => pinNode("9.9.9", list, [archive])).toThrow(/is not what the list names/);
    expect(() => pinNode("9.9.8", list, [archive])).toThrow(/no archive of Node 9\.9\.8/);
  });
});

describe("a release", () => {
  it("has a package, its SBOM, an image and the SDKs", () => {
    const whole = [
      "settlement-service_1.2.0_amd64.deb",
      "settlement-service_1.2.0_amd64.deb.cdx.json",
      "settlement-service-image_1.2.0_amd64.tar",
      "settlement-sdk-1.2.0.tgz",
      "settlement_sdk-1.2.0-py3-none-any.whl",
      "settlement_sdk-1.2.0.tar.gz",
      "settlement-sdk-go-1.2.0.zip",
      "settlement-sdk-php-1.2.0.zip",
    ];
    expect(missingKinds(whole)).toEqual([]);
    for (const name of whole) expect(missingKinds(whole.filter((other) => other !== name))).toHaveLength(1);
  });

  it("has an image whose base the Dockerfile names by digest, of the same Node", () => {
    const dockerfile = readFileSync(join(ROOT, "Dockerfile"), "utf8");
    expect(baseImageOf(dockerfile)).toContain(`node:${OFFICIAL.version}-`);
    expect(() => baseImageOf(dockerfile.replace(/@sha256:\S+/, ""))).toThrow(/by digest/);
  });
});
