import { expect, test } from "vitest";
import { findLicenceTrouble } from "./licences.ts";
import { makeSbom, type Sbom } from "./sbom.ts";

const component = (name: string, licenses?: Sbom["components"][number]["licenses"]) => ({
  "bom-ref": name,
  name,
  version: "1.0.0",
  ...(licenses && { licenses }),
});

test("every package of a live installation is under a licence that somebody has allowed", () => {
  expect(findLicenceTrouble(makeSbom())).toEqual([]);
});

test("one that asks for more, names none, or is allowed elsewhere only, is found; a choice with a good one in it is good", () => {
  const components = [
    component("good", [{ license: { id: "MIT" } }]),
    component("choice", [{ expression: "(MIT OR GPL-3.0-only)" }]),
    component("both", [{ expression: "MIT AND GPL-3.0-only" }]),
    component("copyleft", [{ license: { id: "AGPL-3.0-only" } }]),
    component("silent"),
    component("elsewhere", [{ license: { id: "CC-BY-4.0" } }]),
  ];
  expect(findLicenceTrouble({ components })).toEqual([
    "both@1.0.0 is under MIT AND GPL-3.0-only",
    "copyleft@1.0.0 is under AGPL-3.0-only",
    "silent@1.0.0 names no licence",
    "elsewhere@1.0.0 is under CC-BY-4.0",
  ]);
});
