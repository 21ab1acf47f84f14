import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { FOLDERS, listFiles } from "./tidy.ts";

/** What documents and comments say of the tree, held against the tree: a page that names what is gone leads its reader astray. */

const PAGE = "docs/architecture.md";
/** A name, a route group `(name)`, or a parameter `[name]`, `[[...name]]`. */
const STEP = "(?:[\\w.-]*\\w|\\([\\w-]+\\)|\\[+[\\w.-]+\\]+)";
const NAMED_PATH = new RegExp(`(?<![#\\w./@-])(?:${FOLDERS.join("|")})(?:/${STEP})+`, "g");
const LINK = /\]\((?!https?:|mailto:|#)([^)#]+)/g;
const FILE = /\.(?:ts|tsx|mjs|md|css|json|sql|sh|py)$/;
const READ = /\.(?:md|ts|tsx|mjs|css)$/;
/** They name paths that only their own tests know. */
const OF_THEIR_OWN = /^scripts\/(?:checks\.test|documents)\.ts$/;

/** What is untrue, a line each. */
export function findUntruths(root: string): string[] {
  const files = [...FOLDERS.flatMap((folder) => listFiles(root, folder)), ...readdirSync(root)].filter((file) => READ.test(file));
  const texts = files.filter((file) => !OF_THEIR_OWN.test(file)).map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  const isThere = (path: string) => existsSync(join(root, path));
  const page = texts.find(({ file }) => file === PAGE)?.text ?? "";
  return [...roomsAmiss(page, foldersOf(root)), ...texts.flatMap(({ file, text }) => pathsAmiss(file, text, isThere))];
}

/** Folders two levels deep that the list of rooms leaves out, and those that it names though they are gone. */
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
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${folder}/${entry.name}`),
  ]);
}
