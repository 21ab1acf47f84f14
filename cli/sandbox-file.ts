import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { EXIT, Trouble } from "./exit.ts";
import type { Profile } from "./profile.ts";
import { readBrand, readClock } from "./service.ts";

type Env = Readonly<Record<string, string | undefined>>;

const partner = z.object({ api_key: z.string(), api_secret: z.string(), callback_secret: z.string() });
const sandboxFile = z.object({
  base_url: z.url(),
  partner,
  operator: z.object({ api_key: z.string() }),
  outcomes: z.object({ blocked_wallet: z.string(), named_wallet: z.string() }),
  receivers: z.object({ url: z.string() }),
});

/** The demo partner of a running sandbox, by the file that the sandbox writes. @throws Trouble when there is none. */
export async function sandboxProfile(file: string | undefined, env: Env, signal: AbortSignal): Promise<Profile> {
  const usual = env.DATA_DIR ? `${env.DATA_DIR}/sandbox.json` : fileURLToPath(new URL("../.data/sandbox.json", import.meta.url));
  const path = file ?? env.SANDBOX_FILE ?? usual;
  const { partner, operator, outcomes, receivers, ...rest } = readSandbox(path);
  const base_url = rest.base_url.replace(/\/+$/, "");
  const sandbox = { operator_key: operator.api_key, receivers_url: receivers.url, ...outcomes };
  return { base_url, brand: await brandOf(base_url, signal), ...partner, sandbox };
}

function readSandbox(path: string): z.infer<typeof sandboxFile> {
  try {
    return sandboxFile.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const why =
      error instanceof z.ZodError
        ? "it is not a sandbox's file"
        : isMissing(error)
          ? "there is no such file"
          : "it is not JSON, or not yours to read";
    const help = 'Start one with "npm start". If it has its own DATA_DIR, set that here too, or name the file with --file.';
    throw new Trouble(`Cannot read ${path}: ${why}. Is the sandbox running? ${help}`);
  }
}

const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";

/** The service states the names of its headers. @throws Trouble for anything that is not such a service. */
export async function brandOf(baseUrl: string, signal: AbortSignal): Promise<string> {
  const clock = await readClock(baseUrl, signal);
  if (typeof clock === "string") throw new Trouble(clock, EXIT.unanswered);
  return (await readBrand(baseUrl, signal)) ?? "Service";
}
