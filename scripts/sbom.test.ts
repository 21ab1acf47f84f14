import { expect, test } from "vitest";
import { makeSbom, missingFrom } from "./sbom.ts";

test("the list of a live installation's packages is whole, with a hash of each, and names nothing that only development uses", () => {
  const sbom = makeSbom();
  expect(missingFrom(sbom)).toEqual([]);
  expect(sbom.metadata.component).toMatchObject({ name: "settlement-service", type: "application" });
  const names = sbom.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["next", "postgres", "viem", "drizzle-orm"]));
  for (const name of ["vitest", "drizzle-kit", "knip", "solc", "@foundry-rs/anvil-linux-amd64"]) expect(names).not.toContain(name);
  for (const component of sbom.components) expect(component).toMatchObject({ purl: expect.stringMatching(/^pkg:npm\//), hashes: [{}] });
});

test("a package that is missing from it is found", () => {
  const sbom = makeSbom();
  const without = sbom.components.filter(({ name }) => name !== "postgres");
  expect(missingFrom({ components: without })).toEqual([expect.stringMatching(/^postgres@/)]);
});
