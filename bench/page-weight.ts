import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { table } from "./report.ts";

const BUILD = join(fileURLToPath(new URL("..", import.meta.url)), ".next");
const GOAL_KB = 220;

/**
 * How much JavaScript, gzipped, the browser loads with each page of the console before the first interaction. It reads the output of `npm
 * run build`. Code that a page loads on demand (palette, side panel, dialogs, charts) is counted separately, for the whole build. The
 * chunks are listed in the manifest of a page's client components, and in that of the common chunks.
 */
export function measurePages(): string {
  const first = chunksIn(readFileSync(join(BUILD, "build-manifest.json"), "utf8"), "rootMainFiles");
  const pages = globSync("server/app/**/page_client-reference-manifest.js", { cwd: BUILD })
    .map((file) => ({ route: routeOf(file), chunks: new Set([...first, ...entryChunks(readFileSync(join(BUILD, file), "utf8"))]) }))
    .filter(({ route }) => route.startsWith("/console"))
    .sort((left, right) => left.route.localeCompare(right.route));
  const loaded = new Set(pages.flatMap(({ chunks }) => [...chunks]));
  const rest = globSync("static/chunks/**/*.js", { cwd: BUILD }).filter((file) => !loaded.has(file));
  const rows = pages.map(({ route, chunks }) => [route, weigh(chunks).toFixed(0), `≤ ${GOAL_KB}`]);
  return table(["Page", "KB", "goal"], [...rows, ["only when wanted, all pages together", weigh(new Set(rest)).toFixed(0), ""]]);
}

function routeOf(file: string): string {
  return file
    .replace(/^server\/app/, "")
    .replace(/\/\([^)]+\)/g, "")
    .replace(/\/page_client-reference-manifest\.js$/, "");
}

function chunksIn(manifest: string, member: string): string[] {
  const all: unknown = JSON.parse(manifest);
  const found = typeof all === "object" && all !== null ? Object.entries(all).find(([name]) => name === member)?.[1] : [];
  return Array.isArray(found) ? found.filter((each): each is string => typeof each === "string") : [];
}

/** The manifest is a script that assigns an object: `entryJSFiles` names the chunks by layout and page. */
function entryChunks(script: string): string[] {
  const start = script.indexOf('"entryJSFiles":');
  if (start < 0) return [];
  const end = script.indexOf("}", start);
  const files: unknown = JSON.parse(script.slice(start + '"entryJSFiles":'.length, end + 1));
  return Object.values(files ?? {}).flatMap((each: unknown) => (Array.isArray(each) ? each.map(String) : []));
}

function weigh(chunks: ReadonlySet<string>): number {
  let bytes = 0;
  for (const file of chunks) {
    const path = join(BUILD, file.replace(/^\/_next\//, ""));
    if (file.endsWith(".js") && existsSync(path)) bytes += gzipSync(readFileSync(path)).length;
  }
  return bytes / 1024;
}
