import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { httpUrl, needed, only } from "#cli/arguments.ts";
import { defineCommand } from "#cli/command.ts";
import { examine, shortened } from "#cli/examine.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import { printFindings } from "#cli/findings.ts";
import { type Profile, profilePath, writeProfile } from "#cli/profile.ts";
import { brandOf, sandboxProfile } from "#cli/sandbox-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

export const login = defineCommand({
  name: "login",
  summary: "Test a URL and a key, and store them in your profile",
  usage: "--sandbox | --url URL --key KEY",
  options: {
    sandbox: { type: "boolean", about: "Use the sandbox on this machine, with its demo partner" },
    file: { type: "string", value: "FILE", about: "The sandbox's file (.data/sandbox.json; also: SANDBOX_FILE, DATA_DIR)" },
    url: { type: "string", value: "URL", about: "Where the service is" },
    key: { type: "string", value: "KEY", about: "The API key" },
  },
  notes: [
    "The command asks for the secrets, or reads them from API_SECRET and CALLBACK_SECRET. It never takes them from the command line, where others can see them.",
    "Only you can read the file. It is written only if the service accepts the key.",
  ],
  async run({ values, positionals, out, env, signal }) {
    only(positionals);
    if ((values.sandbox === true) === (values.url !== undefined)) throw new Trouble("Use either --sandbox, or --url and --key.");
    const profile =
      values.sandbox === true ? await sandboxProfile(values.file, env, signal) : await ofKey(values.url, values.key, env, signal);
    const findings = await examine(profile, signal);
    // A wrong clock is a problem of the machine, not of the log-in: the SDK keeps the service's time.
    if (findings.some(({ check, state }) => state === "fault" && check !== "clock")) {
      out.note("Not logged in:");
      return printFindings(out, findings);
    }
    const path = profilePath(env);
    writeProfile(path, profile);
    const shown = { base_url: profile.base_url, api_key: shortened(profile.api_key), profile: path };
    out.print(shown, (paint) => `${paint.green("✓")} Logged in at ${shown.base_url} as ${shown.api_key}; stored in ${path}.`);
    return EXIT.done;
  },
});

async function ofKey(url: string | undefined, key: string | undefined, env: Env, signal: AbortSignal): Promise<Profile> {
  const base_url = httpUrl(needed(url, "--url"), "--url").replace(/\/+$/, "");
  const api_key = needed(key, "--key");
  const brand = await brandOf(base_url, signal);
  const api_secret = env.API_SECRET || (await askHidden("API secret"));
  const callback_secret = env.API_SECRET
    ? env.CALLBACK_SECRET || null
    : (await askHidden("Callback secret (whsec_…, empty for none)")) || null;
  if (api_secret === "") throw new Trouble("Without the API secret, requests cannot be signed.");
  if (callback_secret !== null && !callback_secret.startsWith("whsec_")) throw new Trouble("A callback secret must begin with whsec_.");
  return { base_url, brand, api_key, api_secret, callback_secret, sandbox: null };
}

/** Typed without being shown. */
async function askHidden(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Trouble("There is no terminal to ask for the secret. Set API_SECRET (and CALLBACK_SECRET).");
  process.stderr.write(`${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return (await asking.question("")).trim();
  } finally {
    asking.close();
    process.stderr.write("\n");
  }
}
