import { ConfigError } from "#server/config.ts";
import { parseForSigner, type SignerConfig } from "./signer.ts";

/** The signer's settings. @throws ConfigError */
export function readSignerConfig(env: Readonly<Record<string, string | undefined>> = process.env): SignerConfig {
  const { config, problems } = parseForSigner(env);
  if (problems.length > 0) throw new ConfigError(config.MODE, problems);
  return config;
}
