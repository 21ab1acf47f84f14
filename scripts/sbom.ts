/**
 * `npm run sbom` prints what a live installation consists of as CycloneDX (JSON), as npm reads it out of the lockfile: every package that
 * `npm ci --omit=dev` installs, with its hash and licence, for every machine that there is a runtime for. `-- FILE` writes it there.
 * Ends with 1 when a package that is installed here is missing from it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { runCommand } from "./command.ts";
import { wantedPackages } from "./prepare/packages.mjs";
import { ROOT } from "./suites.ts";

const Licence = z.looseObject({ license: z.looseObject({ id: z.string().optional() }).optional(), expression: z.string().optional() });
const Component = z.looseObject({ "bom-ref": z.string(), name: z.string(), version: z.string(), licenses: z.array(Licence).optional() });
const Sbom = z.looseObject({
  bomFormat: z.literal("CycloneDX"),
  metadata: z.looseObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});
export type Sbom = z.infer<typeof Sbom>;

const read = (path: string): unknown => JSON.parse(readFileSync(join(ROOT, path), "utf8"));
const Lockfile = z.looseObject({ name: z.string(), packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) });

/**
 * The packages of a live installation among all that npm knows. When npm (11) omits development packages, it also omits shared dependencies
 * such as the logger, so this computes them.
 */
export function makeSbom(npm = process.env.npm_execpath): Sbom {
  const args = ["sbom", "--sbom-format=cyclonedx", "--sbom-type=application", "--package-lock-only", "--loglevel=error"];
  const [command, before] = npm?.endsWith("js") ? [process.execPath, [npm]] : ["npm", []];
  const text = execFileSync(command, [...before, ...args], { cwd: ROOT, encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024 });
  const sbom = Sbom.parse(JSON.parse(text));
  // npm names the whole by its folder.
  sbom.metadata.component.name = Lockfile.parse(read("package-lock.json")).name;
  const live = new Set(livePackages());
  const components = sbom.components.filter((component) => live.has(nameOf(component)));
  const refs = new Set([sbom.metadata.component["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) }));
  return { ...sbom, components, dependencies };
}

/** Packages of a live installation on this machine that are missing in the list, as `name@version`. */
export function missingFrom({ components }: Pick<Sbom, "components">): string[] {
  const listed = new Set(components.map(nameOf));
  return livePackages().filter((each) => !listed.has(each));
}

function livePackages(): string[] {
  const installed = wantedPackages(Lockfile.parse(read("package-lock.json")), true);
  return installed.map(([path, { version }]) => `${path.split("node_modules/").at(-1)}@${version}`);
}

function nameOf({ name, version }: { name: string; version: string }): string {
  return `${name}@${version}`;
}

async function main(file: string | undefined): Promise<number> {
  const sbom = makeSbom();
  const missing = missingFrom(sbom);
  if (missing.length > 0) throw new Error(`The list is not whole, it lacks ${missing.join(", ")}.`);
  const text = `${JSON.stringify(sbom, null, 2)}\n`;
  if (file === undefined) process.stdout.write(text);
  else writeFileSync(file, text);
  return 0;
}

if (import.meta.main) await runCommand(() => main(process.argv[2]));
