import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** A fix in the service's own code, taken out: the text that is in the file, and what was there before the fix. */
export type Patch = { file: string; is: string; was: string };

/** One fix in the service's own code. With the fix removed, the simulation must find the defect. `seed` and `from`: where a rare defect is found at once. */
export type Mutant = {
  name: string;
  family: "payments" | "lapsing" | "packs" | "wallets" | "orders" | "callbacks" | "settlements";
  defect: string;
  patches: readonly Patch[];
  seed?: string;
  from?: number;
};

const ROOT = new URL("../../", import.meta.url).href;
/** Where the room of tables is kept that replaces PostgreSQL; the modules made here ask for it as they are loaded. */
const ROOM = "settlement-service.simulated-tables";
const EXPORTED = /^export (?:async )?(?:function|const|class) (\w+)/gm;

/**
 * The one cut through the service: every module of `db` that is loaded from now on has the same names, and behind them the in-memory tables.
 * What those do not have throws, and is outside of the simulation. All else (domain, services, engines, the worker's loop) is loaded
 * as it is, but for the patches that a mutant asks for.
 */
export function cutAt(tables: Readonly<Record<string, Readonly<Record<string, unknown>>>>, patches: readonly Patch[]): void {
  Object.assign(globalThis, { [ROOM]: tables });
  registerHooks({
    load(url, context, next) {
      const path = url.startsWith(ROOT) ? url.slice(ROOT.length) : "";
      if (path.startsWith("db/"))
        return { format: "module", source: standIn(path, readFileSync(fileURLToPath(url), "utf8")), shortCircuit: true };
      const source = patchedSource(url, patches);
      return source === null ? next(url, context) : { format: "module-typescript", source, shortCircuit: true };
    },
  });
}

/** The source of a module with its patches; null: it has none. */
export function patchedSource(url: string, patches: readonly Patch[]): string | null {
  const own = patches.filter(({ file }) => url === `${ROOT}${file}`);
  return own.length === 0 ? null : own.reduce(takenOut, readFileSync(fileURLToPath(url), "utf8"));
}

/** @throws Error where the text is not there, or twice: then the fixed code has moved, and the patch proves nothing. */
export function takenOut(source: string, { file, is, was }: Patch): string {
  if (source.split(is).length !== 2) throw new Error(`${file} does not have exactly once: ${is}`);
  return source.replace(is, () => was);
}

function standIn(path: string, source: string): string {
  const names = [...source.matchAll(EXPORTED)].map(([, name]) => name);
  const lines = names.map((name) => `export const ${name} = own.${name} ?? absent("${name}");`);
  return [
    `const own = globalThis["${ROOM}"]["${path}"] ?? {};`,
    `const absent = (name) => () => { throw new Error("outside of the simulation: ${path} " + name); };`,
    ...lines,
  ].join("\n");
}
