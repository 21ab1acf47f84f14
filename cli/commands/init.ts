import { execFile } from "node:child_process";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { only } from "#cli/arguments.ts";
import { clientOf } from "#cli/client.ts";
import { type Context, defineCommand } from "#cli/command.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import { LANGUAGES, makeProject } from "#cli/make-project.ts";
import { NotLoggedIn, type Profile } from "#cli/profile.ts";
import { sandboxProfile } from "#cli/sandbox-file.ts";
import { readMode } from "#cli/service.ts";
import { Refused } from "#sdk/typescript/src/index.ts";

export const init = defineCommand({
  name: "init",
  summary: "Make a project that pays in the sandbox, with its tests, in your language",
  usage: "--language typescript|python|go|php [FOLDER]",
  options: {
    language: { type: "string", value: "LANGUAGE", about: "typescript, python, go or php" },
    file: {
      type: "string",
      value: "FILE",
      about: "The sandbox's file, if you are not logged in (.data/sandbox.json; also: SANDBOX_FILE, DATA_DIR)",
    },
  },
  notes: [
    "FOLDER is settlement-LANGUAGE unless you name another. It must be new or empty.",
    "The project contains the SDK, and your key in a file .env that only you can read. Nothing is downloaded.",
    "If you are not logged in, the project belongs to the demo partner of the sandbox on this machine.",
  ],
  async run({ values: { language: name, file }, positionals, out, env, signal, ...context }) {
    const language = LANGUAGES.find((each) => each === name);
    if (language === undefined) throw new Trouble(`"--language" must be one of ${LANGUAGES.join(", ")}.`);
    const profile = await profileOr(context.profile, () => sandboxProfile(file, env, signal));
    if ((await readMode(profile, signal)) === "live")
      throw new Trouble('The project\'s tests pay, so it is made for a sandbox only. Run "settle login --sandbox" first.');
    await checkKey(profile, signal);
    const folder = resolve(...(positionals.length === 0 ? [`settlement-${language}`] : only(positionals, "FOLDER")));
    const steps = await makeProject(folder, language, profile);
    if (language === "typescript") await noteOldNode(out);
    out.print({ folder, language, steps }, (paint) =>
      [`${paint.green("✓")} ${folder}`, "", `cd ${shellWord(folder)}`, ...steps].join("\n"),
    );
    return EXIT.done;
  },
});

/** One signed call, so that no project gets a key that the service does not accept. @throws Trouble that says what to do. */
async function checkKey(profile: Profile, signal: AbortSignal): Promise<void> {
  try {
    await clientOf(profile).prices.pairs({ signal });
  } catch (error) {
    if (!Refused.is(error, "unknown_api_key", "signature_mismatch")) throw error;
    throw new Trouble(
      `${profile.base_url} does not accept your key (${error.code}), so no project was made. A sandbox that started again from scratch has new keys. Run "settle login --sandbox" again.`,
      EXIT.refused,
    );
  }
}

/** As a shell reads it back. */
function shellWord(path: string): string {
  return /^[\w./~@%+=:,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** From this version on, Node.js runs TypeScript as it is. */
const NEEDED_NODE = [22, 18] as const;

/** The project runs on the machine's Node.js, which may be older than the one that runs this command. */
async function noteOldNode(out: Context["out"]): Promise<void> {
  const { stdout } = await promisify(execFile)("node", ["--version"]).catch(() => ({ stdout: "" }));
  const [major = 0, minor = 0] = stdout.replace("v", "").split(".").map(Number);
  const [least, leastMinor] = NEEDED_NODE;
  if (major > least || (major === least && minor >= leastMinor)) return;
  const found = stdout.trim() === "" ? "There is no Node.js in your PATH" : `The Node.js in your PATH is ${stdout.trim()}`;
  out.note(
    `${found}. The project needs ${least}.${leastMinor} or newer. The one of this folder will do: export PATH="${dirname(process.execPath)}:$PATH"`,
  );
}

async function profileOr(read: () => Profile, otherwise: () => Promise<Profile>): Promise<Profile> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotLoggedIn)) throw error;
    return await otherwise();
  }
}
