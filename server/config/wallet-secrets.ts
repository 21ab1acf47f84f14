import { readFileSync } from "node:fs";
import type { NamedWallet, WalletConfig } from "./wallets.ts";
import { weaknessOfPassword } from "./weakness.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A file from the settings; null, and reported, where it cannot be read. */
export function readText(name: string, file: string, report: (problem: string) => void): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    report(`${name}: ${file} cannot be read (${error instanceof Error && "code" in error ? String(error.code) : "unknown"}).`);
    return null;
  }
}

/** A wallet with what opens its key, out of the variable that it names. */
export function withSecret(wallet: NamedWallet, env: Environment, live: boolean, report: (problem: string) => void): WalletConfig {
  if (wallet.signer === "pkcs11") return withPin(wallet, env, report);
  if (wallet.signer !== "keystore") return wallet;
  readText("CHAINS", wallet.file, report);
  const password = env[wallet.passwordEnv] ?? "";
  const weakness = live && password !== "" ? weaknessOfPassword(password) : null;
  if (password === "") report(`${wallet.passwordEnv} is missing: the password of the keystore ${wallet.file}.`);
  else if (weakness) report(`${wallet.passwordEnv} ${weakness}.`);
  return { signer: "keystore", file: wallet.file, password };
}

/** A token limits the length of its PIN and counts wrong ones, so the PIN's strength is not checked here. */
function withPin(
  { pinEnv, libraryEnv, ...wallet }: NamedWallet & { signer: "pkcs11" },
  env: Environment,
  report: (problem: string) => void,
): WalletConfig {
  readText("CHAINS", wallet.library, report);
  const pin = env[pinEnv] ?? "";
  if (pin === "") report(`${pinEnv} is missing: the PIN of the token ${wallet.token}.`);
  for (const name of libraryEnv) if (env[name] === undefined) report(`${name} is missing: the library ${wallet.library} needs it.`);
  const pairs = [...LIBRARIES_NEED, ...libraryEnv].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
  return { ...wallet, pin, env: Object.fromEntries(pairs) };
}

/** What every library gets of the environment. */
const LIBRARIES_NEED = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH"];
