import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { FOLDERS, listFiles } from "./tidy.ts";

/** Compares what documents and comments say about the tree with the tree: a wrong path misleads readers. */

const PAGE = "docs/architecture.md";
/** A name, a route group `(name)`, or a parameter `[name]`, `[[...name]]`. */
const STEP = "(?:[\\w.-]*\\w|\\([\\w-]+\\)|\\[+[\\w.-]+\\]+)";
const NAMED_PATH = new RegExp(`(?<![#\\w./@-])(?:${FOLDERS.join("|")})(?:/${STEP})+`, "g");
const PROMISES = "docs/console.md";
/** A story of the console by its name, or any test by its path, each with the beginnings of titles. */
const NAMED_TESTS = /(?:`([\w./-]+\.(?:test|spec)\.tsx?)`|([\w-]+)) › ("[^"]+"(?:, "[^"]+")*)/g;
/** The prefix of a test's title. */
const TITLES = ['test("', "test(`", 'it("', "it(`"];
/** A promise's row without a test, a file or a command that checks it. */
const UNCHECKED = /^\|(?!-)(?:[^|\n]*\|)+ (?!Checked by|[^|\n]*(?: › "|`))[^|\n]*\|$/gm;
const LINK = /\]\((?!https?:|mailto:|#)([^)#]+)/g;
const FILE = /\.(?:ts|tsx|mjs|md|css|json|sql|sh|py)$/;
const READ = /\.(?:md|ts|tsx|mjs|css)$/;
/** They name paths that only their own tests know. */
const OF_THEIR_OWN = /^scripts\/(?:checks\.test|documents)\.ts$/;

/** The false statements, a line each. */
export function findUntruths(root: string): string[] {
  const files = [...FOLDERS.flatMap((folder) => listFiles(root, folder)), ...readdirSync(root)].filter((file) => READ.test(file));
  const texts = files.filter((file) => !OF_THEIR_OWN.test(file)).map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  const isThere = (path: string) => existsSync(join(root, path));
  return [
    ...roomsAmiss(textOf(texts, PAGE), foldersOf(root)),
    ...texts.flatMap(({ file, text }) => pathsAmiss(file, text, isThere)),
    ...promisesAmiss(textOf(texts, PROMISES), (file) => textOf(texts, file)),
  ];
}

function textOf(texts: readonly { file: string; text: string }[], name: string): string {
  return texts.find(({ file }) => file === name)?.text ?? "";
}

/** Tests named in the console's promises, `file › "how its title begins"`, that do not exist, and promises that name no check. */
export function promisesAmiss(page: string, sourceOf: (file: string) => string): string[] {
  const promises = page.split(/^## Before and after$/m)[0] ?? "";
  const gone = [...promises.matchAll(NAMED_TESTS)].flatMap(([, path, story = "", named = ""]) => {
    const source = sourceOf(path ?? `e2e/console/${story}.spec.ts`);
    return [...named.matchAll(/"([^"]+)"/g)]
      .filter(([, title = ""]) => !TITLES.some((before) => source.includes(before + title)))
      .map(([, title]) => `${PROMISES}: there is no test ${path ?? story} › "${title}"`);
  });
  return [...gone, ...[...promises.matchAll(UNCHECKED)].map(([row]) => `${PROMISES}: nothing checks ${row.slice(0, 60)}`)];
}

/** Folders two levels deep that are missing in the list of rooms, and listed ones that do not exist. */
export function roomsAmiss(page: string, folders: readonly string[]): string[] {
  const section = /^## Rooms$([\s\S]*?)^## /m.exec(page)?.[1] ?? "";
  const firstCells = [...section.matchAll(/^\| (.*?) \|/gm)].map(([, cell = ""]) => cell);
  const named = new Set(firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)));
  return [
    ...folders.filter((folder) => !named.has(folder)).map((folder) => `${PAGE}: no room says what \`${folder}\` is for`),
    ...[...named].filter((name) => !folders.includes(name)).map((name) => `${PAGE}: there is no room \`${name}\``),
  ];
}

/** Paths of the repository that a page names, or a comment with the file's ending, and links of a page, that lead nowhere. */
export function pathsAmiss(file: string, text: string, isThere: (path: string) => boolean): string[] {
  const isPage = file.endsWith(".md");
  return text.split("\n").flatMap((line, index) => {
    const named = [...line.matchAll(NAMED_PATH)].map(([path]) => path).filter((path) => isPage || FILE.test(path));
    const linked = isPage ? [...line.matchAll(LINK)].map(([, link = ""]) => normalize(join(dirname(file), link))) : [];
    const gone = new Set([...named, ...linked].filter((path) => !isThere(path)));
    return [...gone].map((path) => `${file}:${index + 1}: there is no ${path}`);
  });
}

function foldersOf(root: string): string[] {
  return FOLDERS.flatMap((folder) => [
    folder,
    ...readdirSync(join(root, folder), { withFileTypes: true })
      // The output of `npm run build:sdk` is not a room.
      .filter((entry) => entry.isDirectory() && entry.name !== "dist")
      .map((entry) => `${folder}/${entry.name}`),
  ]);
}
