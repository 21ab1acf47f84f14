import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting's name, with or without the prefix that systemd adds for a folder (`LoadCredential=shared:/folder` makes `shared_NAME`). */
const CREDENTIAL = /^(?:[a-z]+_)?([A-Z][A-Z0-9_]*)$/;

/**
 * The environment together with the settings that systemd provides as files, one per setting, in `CREDENTIALS_DIRECTORY`. The newline at a
 * file's end is not part of the value. A duplicate setting is an error, since either could be meant.
 */
export function withCredentials(env: Environment, report: (problem: string) => void): Environment {
  const { CREDENTIALS_DIRECTORY: folder } = env;
  if (folder === undefined || folder === "") return env;
  const given = readSecrets(folder);
  const names = given.map(([name]) => name);
  const doubles = names.filter((name, index) => (env[name] ?? "").trim() !== "" || names.indexOf(name) !== index);
  for (const name of new Set(doubles)) report(`${name} is set twice: take it out of the environment or out of the credentials.`);
  return { ...env, ...Object.fromEntries(given) };
}

/** The settings that lie in a folder, a file each. @throws Error where it cannot be read */
export function readSecrets(folder: string): [name: string, value: string][] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) => {
      const [, name] = CREDENTIAL.exec(file) ?? [];
      return name === undefined ? [] : [[name, readFileSync(join(folder, file), "utf8").replace(/\r?\n$/, "")]];
    });
}
