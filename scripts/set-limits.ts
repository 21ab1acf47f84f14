/**
 * `npm run set-limits` shows the present limits; `npm run set-limits -- FILE` sets those of the file that do not exist yet, without a
 * browser. The file is a JSON array as in docs/runbooks/held-payments.md. Existing limits stay as they are, so the same file can be applied
 * again; an administrator changes them in the console. It needs the environment of a web process.
 */
import { z } from "zod";
import { fromWire } from "#contract/wire.ts";
import { DEFAULT_LIMITS } from "#domain/default-limits.ts";
import { readLimit } from "#domain/written-limit.ts";
import { limitInput } from "#server/console/limit-input.ts";
import { openLimits, readLimits } from "#server/services/exposure/set-limit.ts";
import { faultsOf, readJsonFile, runCommand } from "./command.ts";
import { SIGNED_BY_NOBODY, withWiring } from "./wired.ts";

const File = z.array(fromWire(limitInput)).min(1);

async function main(file: string | undefined): Promise<number> {
  const writtenLimits = file === undefined ? [] : read(file);
  return await withWiring(async ({ ctx }) => {
    if (writtenLimits.length > 0) {
      const opened = new Set(await openLimits(ctx, writtenLimits, "Set on the machine."));
      for (const { id } of writtenLimits) {
        const outcome = opened.has(id) ? "set" : "kept: it is there already, and is changed in the console";
        process.stdout.write(`${id}: ${outcome}\n`);
      }
      process.stdout.write(SIGNED_BY_NOBODY);
    }
    const { limits } = await readLimits(ctx);
    const defaults = new Set(DEFAULT_LIMITS.map(({ id }) => id));
    for (const { id, version, kind, mode, purpose } of limits) {
      const concerns = purpose === null ? "every purpose" : `purpose ${purpose}`;
      process.stdout.write(
        `${id}, version ${version}: ${kind}, ${concerns}, ${mode}${defaults.has(id) ? ", what a live service begins with" : ""}\n`,
      );
    }
    if (limits.length === 0) process.stdout.write("Nothing is limited.\n");
  });
}

function read(file: string) {
  return readJsonFile(File, file).map(({ id, ...written }) => ({ ...readLimit(written), id }));
}

await runCommand(() => main(process.argv[2]), { explain: faultsOf });
