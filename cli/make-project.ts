import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packPython, packTypeScript, sdkVersion, unpackTo } from "#sdk/pack.ts";
import { Trouble } from "./exit.ts";
import type { Profile } from "./profile.ts";

export const LANGUAGES = ["typescript", "python", "go", "php"] as const;
export type Language = (typeof LANGUAGES)[number];

const TEMPLATES = fileURLToPath(new URL("init", import.meta.url));

/**
 * Makes a project for a partner: the language's files of `cli/init`, the SDK and the partner's key. The folder has all of it or is not made.
 * Answers the commands that run its tests and the program. @throws Trouble if the folder is not new or empty.
 */
export async function makeProject(folder: string, language: Language, profile: Profile): Promise<readonly string[]> {
  if (existsSync(folder) && !isEmptyFolder(folder)) throw new Trouble(`${folder} is not empty. Name a new folder.`);
  const draft = `${folder}.${process.pid}.draft`;
  try {
    mkdirSync(draft, { recursive: true });
    for (const each of ["every", language]) copyTemplates(join(TEMPLATES, each), draft);
    writeFileSync(join(draft, ".env"), settingsOf(profile), { mode: 0o600 });
    await addSdk(draft, language);
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return commandsOf(language);
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch {
    return false;
  }
}

/** `NAME.template` becomes `NAME`: this repository's own tools would read such a file otherwise. */
function copyTemplates(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    const content = readFileSync(join(from, name), "utf8").replaceAll("SDK_VERSION", sdkVersion());
    const plain = name.replace(/\.template$/, "");
    writeFileSync(join(to, plain === "gitignore" ? ".gitignore" : plain), content);
  }
}

function settingsOf({ base_url, brand, api_key, api_secret, callback_secret }: Profile): string {
  if (callback_secret === null) throw new Trouble("The project verifies callbacks. Log in with the callback secret too.");
  const values = {
    SETTLEMENT_URL: base_url,
    BRAND: brand,
    API_KEY: api_key,
    API_SECRET: api_secret,
    CALLBACK_SECRET: callback_secret,
  };
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

async function addSdk(folder: string, language: Language): Promise<void> {
  if (language === "go" || language === "php") return unpackTo(folder, language);
  const vendor = join(folder, "vendor");
  mkdirSync(vendor);
  await (language === "typescript" ? packTypeScript(vendor) : packPython(vendor));
}

/** As the README of the project has them. */
function commandsOf(language: Language): readonly string[] {
  const [, commands = ""] = /^```sh\n([\s\S]*?)\n```$/m.exec(readFileSync(join(TEMPLATES, language, "README.md"), "utf8")) ?? [];
  return commands.split("\n");
}
