import { isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { gasOf } from "#domain/gas.ts";
import { NO_WALLET } from "./chain-fields.ts";
import { type EvmChainConfig, evmChain, reportGas, toEvmConfig } from "./evm-chain.ts";
import { type SolanaChainConfig, solanaChain, toSolanaConfig } from "./solana-chain.ts";
import { reportFeeToken, type TempoChainConfig, tempoChain, toTempoConfig } from "./tempo-chain.ts";
import { type TronChainConfig, toTronConfig, tronChain } from "./tron-chain.ts";
import type { NamedWallet } from "./wallets.ts";
import { placeOf, plainIssue } from "./weakness.ts";

/** Chains whose signed payments lapse by themselves. */
export type LapsingChainConfig = TempoChainConfig | SolanaChainConfig | TronChainConfig;

/** A chain that the service pays on, without what only a signer needs. Each family has its file. */
export type ChainConfig = EvmChainConfig | LapsingChainConfig;

type Report = (problem: string) => void;
type Parsed = ChainConfig & { wallets: NamedWallet[] };

/** Each family has its own members. */
const Written = z.array(z.looseObject({}), "wants a JSON array of chains").min(1, "names no chain");

/** The configured chains. Every fault is reported with its place: `CHAINS[0].tokens[1].decimals wants …`. */
export function parseChains(text: string, baseFolder: string, report: Report): Parsed[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    report("CHAINS is not valid JSON.");
    return [];
  }
  const written = Written.safeParse(json);
  if (!written.success) {
    reportIssues("CHAINS", written.error, report);
    return [];
  }
  const path = (file: string) => (isAbsolute(file) ? file : resolve(baseFolder, file));
  const parsed = written.data.map((chain, index) => parseChain(chain, { place: `CHAINS[${index}]`, path, report }));
  const chains = parsed.filter((chain) => chain !== null);
  reportDoubles(chains, report);
  // One that cannot be read takes the others with it: they would be judged without it.
  return chains.length === parsed.length ? chains : [];
}

type Reading = { place: string; path: (file: string) => string; report: Report };

function parseChain(chain: z.infer<typeof Written>[number], { place, path, report }: Reading): Parsed | null {
  switch (familyOf(chain)) {
    case "solana":
      return read(solanaChain, chain, (written) => toSolanaConfig(written, path));
    case "tron":
      return read(tronChain, chain, (written) => toTronConfig(written, path));
    case "tempo":
      return read(tempoChain, chain, (written) => {
        reportFeeToken(written, place, report);
        return toTempoConfig(written, path);
      });
    case "evm":
      return read(evmChain, chain, (written) => {
        reportGas(written, place, report);
        return toEvmConfig(written, path);
      });
  }

  function read<Shape>(schema: z.ZodType<Shape>, of: unknown, toConfig: (written: Shape) => Parsed): Parsed | null {
    const found = schema.safeParse(of);
    if (found.success) return toConfig(found.data);
    reportIssues(place, found.error, report);
    return null;
  }
}

/** A chain of `eip155` whose fees are paid in a token is one of Tempo. */
function familyOf({ chain, gas }: Readonly<Record<string, unknown>>): ChainConfig["family"] {
  const name = typeof chain === "string" ? chain : "";
  if (name.startsWith("solana:")) return "solana";
  if (name.startsWith("tron:")) return "tron";
  return gasOf(name) === "token" || gas === "token" ? "tempo" : "evm";
}

function reportIssues(place: string, { issues }: z.ZodError, report: Report): void {
  for (const issue of issues) report(`${place}${placeOf(issue.path)} ${plainIssue(issue)}.`);
}

/** What only the signer needs: a wallet for each chain. */
export function reportMissingWallets(chains: readonly { wallets: readonly NamedWallet[] }[], report: Report): void {
  for (const [index, { wallets }] of chains.entries()) if (wallets.length === 0) report(`CHAINS[${index}].wallets ${NO_WALLET}.`);
}

function reportDoubles(chains: readonly ChainConfig[], report: Report): void {
  const seen = new Set<string>();
  for (const { chain: name, native, tokens } of chains) {
    if (seen.has(name)) report(`CHAINS names ${name} twice.`);
    seen.add(name);
    const currencies = [...(native === null ? [] : [native.currency]), ...tokens.map((token) => token.currency)];
    for (const double of new Set(currencies.filter((code, index) => currencies.indexOf(code) !== index))) {
      report(`CHAINS names ${double} on ${name} twice.`);
    }
  }
}
