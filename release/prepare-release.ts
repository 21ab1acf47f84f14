/**
 * `npm run release:prepare -- 1.1.0`, on a main branch with nothing left to merge: freezes what the release promises (freeze-release.ts),
 * writes the version in every place, and turns the changelogs' "Unreleased" into its section. `--on 2026-11-23` sets its date, default
 * today. It only changes files; review and commit them. Then `npm run release -- 1.1.0` says whether that commit is the release.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runCommand } from "#scripts/command.ts";
import { ROOT } from "#scripts/suites.ts";
import { writeVersions } from "#scripts/versions.ts";
import { freezeRelease } from "./freeze-release.ts";
import { nameRelease, nameSdkRelease, SDK_CHANGELOGS } from "./release-state.ts";

await runCommand(async () => {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { on: { type: "string" } } });
  const [version = ""] = positionals;
  const day = values.on ?? new Date().toISOString().slice(0, 10);
  if (!/^\d+\.\d+\.\d+$/.test(version) || !/^\d{4}-\d\d-\d\d$/.test(day))
    throw new Error("Usage: npm run release:prepare -- 1.1.0 [--on 2026-11-23]");
  const changelog = join(ROOT, "CHANGELOG.md");
  // First what may refuse, then what takes time, and last what makes the packages look out of date.
  const named = nameRelease(readFileSync(changelog, "utf8"), version, day);
  await freezeRelease(version);
  writeVersions(ROOT, version);
  writeFileSync(changelog, named);
  for (const path of SDK_CHANGELOGS.map((name) => join(ROOT, name)))
    writeFileSync(path, nameSdkRelease(readFileSync(path, "utf8"), version, day));
  process.stdout.write(`Version ${version} is written everywhere. Look at what changed, commit it, then: npm run release -- ${version}\n`);
  return 0;
});
