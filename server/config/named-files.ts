import { dirname, resolve } from "node:path";
import type { HttpRateConfig } from "#server/adapters/rates/http/config.ts";
import { type ChainConfig, parseChains } from "./chains.ts";
import { parseRateHttp } from "./rate-http.ts";
import type { Variables } from "./variables.ts";
import { readText } from "./wallet-secrets.ts";
import type { NamedWallet } from "./wallets.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Report = (problem: string) => void;

/** The chains, as JSON or from a file that is named. */
export function readChains(variables: Variables, report: Report): (ChainConfig & { wallets: NamedWallet[] })[] {
  if (variables.CHAINS !== undefined && variables.CHAINS_FILE !== undefined) report("CHAINS and CHAINS_FILE are both set: keep one.");
  if (variables.CHAINS !== undefined) return parseChains(variables.CHAINS, process.cwd(), report);
  if (variables.CHAINS_FILE === undefined) {
    report("CHAINS is missing: the chains to pay on, as JSON, or CHAINS_FILE with the name of a file that holds it.");
    return [];
  }
  const text = readText("CHAINS_FILE", variables.CHAINS_FILE, report);
  return text === null ? [] : parseChains(text, dirname(resolve(variables.CHAINS_FILE)), report);
}

/** The settings of the `http` rate source, as JSON or from a file that is named. */
export function readRateHttp(variables: Variables, env: Environment, report: Report): HttpRateConfig | null {
  if (variables.RATE_HTTP === undefined && variables.RATE_HTTP_FILE === undefined) {
    report(
      "RATE_HTTP is missing: the settings of the http rate source, as JSON, or RATE_HTTP_FILE with the name of a file that holds them.",
    );
    return null;
  }
  const text = variables.RATE_HTTP ?? readText("RATE_HTTP_FILE", variables.RATE_HTTP_FILE ?? "", report);
  return text === null ? null : parseRateHttp(text, env, variables.MODE === "live", report);
}
