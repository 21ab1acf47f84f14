import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { Trouble } from "./exit.ts";

/** The sandbox's controls, from its file at log-in. */
const sandbox = z.object({
  operator_key: z.string(),
  receivers_url: z.url(),
  blocked_wallet: z.string(),
  named_wallet: z.string(),
});

const profileSchema = z.object({
  /** Without a slash at its end. */
  base_url: z.url({ protocol: /^https?$/ }),
  /** The word in the names of the signing headers. */
  brand: z.string().regex(/^[A-Za-z0-9-]+$/),
  api_key: z.string().min(1),
  api_secret: z.string().min(1),
  /** The secret that signs callbacks; null: unknown. */
  callback_secret: z.string().startsWith("whsec_").nullable(),
  sandbox: sandbox.nullable(),
});

/** Who calls, and where: what `settle login` writes. */
export type Profile = z.infer<typeof profileSchema>;

type Env = Readonly<Record<string, string | undefined>>;

/** `SETTLE_PROFILE`, or the usual place of a person's settings. */
export function profilePath(env: Env): string {
  return env.SETTLE_PROFILE || join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "settle", "profile.json");
}

/** There is no profile yet. */
export class NotLoggedIn extends Trouble {}

export function readProfile(path: string): Profile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new NotLoggedIn(
      `You are not logged in (there is no ${path}). Run "settle login --sandbox", or "settle login --url URL --key KEY".`,
    );
  }
  const parsed = profileSchema.safeParse(readJson(text));
  if (parsed.success) return { ...parsed.data, base_url: parsed.data.base_url.replace(/\/+$/, "") };
  const members = [...new Set(parsed.error.issues.map((issue) => issue.path.join(".")).filter((name) => name !== ""))];
  const faulty = members.length === 0 ? "it is not a JSON object" : `missing or faulty: ${members.join(", ")}`;
  throw new Trouble(`${path} is not a profile that "settle login" wrote (${faulty}). Log in again, or name another file with --profile.`);
}

/** Readable only by its owner. Written to a temporary file first, so that nobody reads half of it. */
export function writeProfile(path: string, profile: Profile): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `${JSON.stringify(profileSchema.parse(profile), null, 2)}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}

/** Whether others on this machine may read the file. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
