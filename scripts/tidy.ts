import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

export const FOLDERS = [
  "app",
  "bench",
  "cli",
  "contract",
  "db",
  "docs",
  "domain",
  "e2e",
  "fault",
  "ops",
  "packaging",
  "release",
  "sandbox",
  "scripts",
  "sdk",
  "server",
  "testing",
];
/** Documents next to the folders. */
const PAGES = ["CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"];
const GENERATED = join("sdk", "typescript", "src", "generated");
const SKIPPED = [join("db", "migrations"), join("scripts", "fixtures"), GENERATED, join("sdk", "typescript", "dist")];
const LONGEST_FILE = 250;
/** A table of texts or of cases has a line for each, and nothing to follow. */
const LONGEST_TABLE = 300;
/** A test file is a list of cases, read one at a time. */
const LONGEST_TEST = 500;

/** House rules that no linter knows. Each names what to do instead. */
const BANS: readonly { pattern: RegExp; instead: string; files: RegExp }[] = [
  { pattern: /\b(?:test|it|describe)\.(?:skip|only|todo|fixme)\b/, instead: "a test runs, or is not there", files: /\.(ts|tsx)$/ },
  { pattern: /\b(?:TODO|FIXME|HACK)\b/, instead: "open an issue, or do it", files: /\.(ts|tsx|mjs|md)$/ },
  { pattern: /(?<![\w./-])\/(?:home\/\w|Users\/\w)/, instead: "no path of one machine", files: /\.(ts|tsx|mjs|md|json)$/ },
  { pattern: /@ts-(?:ignore|nocheck)/, instead: "correct the type, or use @ts-expect-error with its reason", files: /\.(ts|tsx)$/ },
  {
    // A name behind a dot, outside of brackets and of what is filled in.
    pattern: /\b(?:locator|querySelector(?:All)?(?:<\w+>)?|matches|closest)\(\s*["'`](?:\[[^\]]*\]|\$\{[^}]*\}|[^"'`[$])*?\.[a-z]/,
    instead: "select by role, name or label, not by the class that it is styled by",
    files: /^e2e\/.*\.ts$/,
  },
  { pattern: /\.\.\.\{(?! *\.\.\.\w+ *\})/, instead: "write the members plainly, one by one", files: /\.(?:ts|tsx)$/ },
  { pattern: /^export \* from/m, instead: "import from the file itself: no barrels", files: /\.(ts|tsx)$/ },
];
const FOLDER_NAMES = new Set(["utils", "util", "helpers", "common", "lib", "core", "shared", "manager", "types"]);

const GLOSSARY = join("docs", "glossary.md");

/** Breaches of the project's rules, a line each: `path:line: what to do`. */
export function findUntidiness(root: string): string[] {
  const glossary = readFileSync(join(root, GLOSSARY), "utf8");
  const refused = refusedWords(glossary);
  const stilted = refusedInProse(glossary);
  return [...PAGES, ...FOLDERS.flatMap((folder) => listFiles(root, folder))].flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    // The glossary is about English.
    if (file.endsWith(".fr.ts")) return breachesIn(file, text);
    return [...breachesIn(file, text), ...wordsIn(file, text, refused), ...wordsIn(file, proseOf(file, text), stilted)];
  });
}

/** The glossary's words in bold, in a sentence or as a part of a name in camel case. Wire names (`a_deed`) do not count. */
export function refusedWords(glossary: string): RegExp {
  const words = [...glossary.matchAll(/\*\*(\w+)\*\*/g)].map(([, word = ""]) => word.toLowerCase());
  const starts = words.map((word) => `(?<![\\w'-])${word}s?(?![a-z_'])`);
  const parts = words.map((word) => `(?<![A-Z_-])${word.charAt(0).toUpperCase()}${word.slice(1)}s?(?![a-z_])`);
  return new RegExp([...starts, ...parts].join("|"));
}

/** The glossary's words in italics: code may use them as names, prose may not. */
export function refusedInProse(glossary: string): RegExp {
  const words = [...glossary.matchAll(/(?<![\w`])_([a-z][a-z' ]*)_(?![\w`])/g)].map(([, word = ""]) => word);
  return new RegExp(`\\b(?:${words.join("|")})\\b`, "i");
}

/** A document and a file of texts, or the comments and the titles of tests in code, on the lines where they were. */
export function proseOf(file: string, text: string): string {
  if (/words\.ts$|^app\/docs\/.*\.tsx$/.test(file)) return text;
  if (file.endsWith(".md")) return text.replaceAll(/`[^`\n]*`/g, "");
  const written =
    /(?:^|\s)\/\/ .*|^\s*(?:\/\*)?\* .*|\/\*\* .*|\b(?:it|test|describe)(?:\.\w+)*\(\s*["'`].*|^\s*\]?\)*\)\(["'`].*|^\s*\[?["'].*/;
  return text
    .split("\n")
    .map((line) => written.exec(line)?.[0] ?? "")
    .join("\n");
}

export function wordsIn(file: string, text: string, refused: RegExp): string[] {
  if (!/\.(?:tsx?|m[jt]s|md|py)$/.test(file) || file === GLOSSARY || file === join("scripts", "checks.test.ts")) return [];
  return text.split("\n").flatMap((line, index) => {
    const word = refused.exec(line)?.[0];
    return word === undefined ? [] : [`${file}:${index + 1}: "${word}": see ${GLOSSARY} for the word to use`];
  });
}

export function breachesIn(file: string, text: string): string[] {
  const found: string[] = [];
  const lines = text.split("\n");
  const isCode = /\.(ts|tsx|mjs)$/.test(file);
  const isTest = /\.(test|spec)\.tsx?$/.test(file);
  const longest = isTest ? LONGEST_TEST : /(?:words|words\.fr|fixture)\.ts$/.test(file) ? LONGEST_TABLE : LONGEST_FILE;
  if (isCode && lines.length - 1 > longest) found.push(`${file}: ${lines.length - 1} lines; such a file has at most ${longest}: divide it`);
  if (file.split(sep).some((name) => FOLDER_NAMES.has(name)))
    found.push(`${file}: a folder answers a plain question; name it by what it holds`);
  if (/(^|\/)scripts\/(tidy|checks\.test)\.ts$/.test(file)) return found; // they name what is banned
  for (const { pattern, instead, files } of BANS) {
    if (!files.test(file)) continue;
    lines.forEach((line, index) => {
      if (pattern.test(line)) found.push(`${file}:${index + 1}: ${instead}`);
    });
  }
  return found;
}

/** Every file of one of the folders, as its path below the root. */
export function listFiles(root: string, folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
      .map((path) => (path.startsWith(sep) ? path.slice(1) : path));
  } catch {
    return [];
  }
  return names.filter((file) => !SKIPPED.some((skipped) => file.startsWith(skipped + sep)));
}
