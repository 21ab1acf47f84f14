import type { Sbom } from "./sbom.ts";

/**
 * Licences that a live installation may contain: each lets everybody run, change and redistribute the code, and at most requires
 * attribution.
 */
const ALLOWED = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT", "MIT-0", "Unlicense"]);

/** What else may, and why. */
const ALLOWED_HERE: Readonly<Record<string, readonly string[]>> = {
  // A library in a separate, exchangeable file: Next loads it to make images smaller.
  "LGPL-3.0-or-later": ["@img/"],
  // Data about browsers, not code.
  "CC-BY-4.0": ["caniuse-lite"],
  // A typeface.
  "OFL-1.1": ["geist"],
};

/** Of packages that name theirs in words that the list of SPDX does not have; read in the package itself. */
const TOLD_OTHERWISE: Readonly<Record<string, string>> = { geist: "OFL-1.1", nub: "MIT" };

/** One sentence for each package of the list whose licence nobody has allowed, or that names none. */
export function findLicenceTrouble({ components }: Pick<Sbom, "components">): string[] {
  return components.flatMap((component) => {
    const { name, version, licenses = [] } = component;
    const licenceNames = licenses.flatMap(({ expression, license }) => expression ?? license?.id ?? []);
    const all = licenceNames.length > 0 ? licenceNames : [TOLD_OTHERWISE[name]].filter((one) => one !== undefined);
    if (all.length === 0) return [`${name}@${version} names no licence`];
    return all.flatMap((expression) => (isAllowed(expression, name) ? [] : [`${name}@${version} is under ${expression}`]));
  });
}

/** `A OR B` offers a choice, `A AND B` requires both. */
function isAllowed(expression: string, name: string): boolean {
  const choices = expression.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) =>
    choice
      .split(" AND ")
      .every((one) => ALLOWED.has(one) || (ALLOWED_HERE[one] ?? []).some((part) => name === part || name.startsWith(part))),
  );
}
