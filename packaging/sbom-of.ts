import { createHash } from "node:crypto";
import { makeSbom, type Sbom } from "#scripts/sbom.ts";
import { livePackages } from "./contents.ts";

/** The contents of a package: those entries of `npm run sbom`'s list, which covers every machine, that this one has. Deterministic. */
export function sbomOf(root: string, epochSeconds: number): Sbom {
  const { runtime, packages } = livePackages(root);
  const held = new Set([runtime, ...packages].map(({ name, version }) => `${name}@${version}`));
  const whole = makeSbom();
  const components = whole.components.filter(({ name, version }) => held.has(`${name}@${version}`));
  const refs = new Set([whole.metadata.component, ...components].map((component) => component["bom-ref"]));
  const dependencies = whole.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) }));
  const missing = [...held].filter((one) => !components.some(({ name, version }) => `${name}@${version}` === one));
  if (missing.length > 0) throw new Error(`The list is not whole, it lacks ${missing.join(", ")}.`);
  const metadata = { ...whole.metadata, timestamp: new Date(epochSeconds * 1_000).toISOString() };
  const sbom = { ...whole, metadata, components, dependencies };
  const digest = createHash("sha256").update(JSON.stringify({ components, dependencies })).digest("hex");
  const uuid = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`, digest.slice(20, 32)].join(
    "-",
  );
  return { ...sbom, serialNumber: `urn:uuid:${uuid}` };
}
