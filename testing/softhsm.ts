import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDERS = ["/usr/lib/softhsm", "/usr/local/lib/softhsm", "/opt/homebrew/lib/softhsm", "/usr/lib64/softhsm", "/usr/lib/pkcs11"];
const MAKE_KEYS = fileURLToPath(new URL("./softhsm-keys.ts", import.meta.url));

export type SoftHsm = {
  library: string;
  /** The token's label. */
  token: string;
  pin: string;
  /** The environment of its library. */
  env: Record<string, string>;
  /** Makes keys of these labels in it, and answers their points in hexadecimal digits. */
  makeKeys(labels: readonly string[], curve?: "secp256k1" | "prime256v1"): string[];
  /** As if somebody had pulled it out. */
  pullOut(): void;
  putBack(): void;
  remove(): void;
};

/** A separate token, in software: SoftHSM behaves like hardware, with sessions and PIN. */
export function makeSoftHsm(): SoftHsm {
  const util = [...(process.env.PATH ?? "").split(delimiter), "/usr/local/bin"]
    .map((folder) => join(folder, "softhsm2-util"))
    .find(existsSync);
  const library = FOLDERS.map((folder) => join(folder, "libsofthsm2.so")).find(existsSync);
  if (util === undefined || library === undefined)
    throw new Error("SoftHSM is not installed: `npm test` sees to it, or `apt-get install softhsm2`.");
  const folder = mkdtempSync(join(tmpdir(), "settlement-softhsm-"));
  const tokens = join(folder, "tokens");
  mkdirSync(tokens);
  const settings = join(folder, "softhsm2.conf");
  writeFileSync(settings, `directories.tokendir = ${tokens}\nobjectstore.backend = file\nlog.level = ERROR\n`);
  const env = { SOFTHSM2_CONF: settings };
  const [token, pin] = ["treasury", "493817"];
  const init = ["--init-token", "--free", "--label", token, "--pin", pin, "--so-pin", "71626364"];
  execFileSync(util, init, { env: { ...process.env, ...env }, stdio: "pipe" });
  return {
    library,
    token,
    pin,
    env,
    makeKeys(labels, curve = "secp256k1") {
      const output = execFileSync(process.execPath, [MAKE_KEYS, library, token, pin, curve, ...labels], {
        env: { ...process.env, ...env },
      });
      return output.toString().trim().split("\n");
    },
    pullOut: () => renameSync(tokens, `${tokens}.away`),
    putBack: () => renameSync(`${tokens}.away`, tokens),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
