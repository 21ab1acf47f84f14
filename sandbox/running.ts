import { type AuditKey, openAuditKey, publicHalfOf } from "#domain/audit-key.ts";
import { CHAIN, CONFIRMATIONS } from "#sandbox/chain/anvil.ts";
import { lapsingSettingsOf } from "#sandbox/chain/families.ts";
import { readSandboxFile } from "#sandbox/client/sandbox-file.ts";
import { readKept } from "#sandbox/kept.ts";
import { databaseUrlAt } from "#sandbox/postgres/part.ts";
import { readSettings } from "#sandbox/settings.ts";
import type { EvmChainSettings } from "#server/adapters/chain/evm/open-evm-chains.ts";
import type { LapsingChainSettings } from "#server/adapters/chain/open-lapsing-chains.ts";
import { Trouble } from "#server/process/trouble.ts";

export type RunningSandbox = { databaseUrl: string; chains: (EvmChainSettings | LapsingChainSettings)[]; auditKey: AuditKey };

/** The database and the chains of the sandbox that runs on `DATA_DIR`, for other programs. */
export function findRunningSandbox(env: NodeJS.ProcessEnv): RunningSandbox {
  const settings = readSettings(env);
  const [chain, ...others] = readSandboxFile(`${settings.dataDir}/sandbox.json`).chains;
  const chains: RunningSandbox["chains"] = [
    {
      chain: CHAIN,
      name: "Sandbox chain",
      rpcUrls: [chain.rpc_url],
      confirmations: CONFIRMATIONS,
      native: { currency: "ETH", decimals: 18 },
      tokens: Object.entries(chain.tokens).map(([currency, address]) => ({ currency, address, decimals: 6 })),
      packing: true,
    },
    ...others.flatMap((other) => lapsingSettingsOf(other) ?? []),
  ];
  const { ports, databasePassword, auditKey: secret } = readKept(settings.dataDir);
  const auditKey = openAuditKey({ secret: null, publicKey: publicHalfOf(Buffer.from(secret, "base64")), begins: "behind unsigned" });
  if (settings.databaseUrl !== null) return { databaseUrl: settings.databaseUrl, chains, auditKey };
  if (ports.postgres === null) throw new Trouble(`No sandbox has run on ${settings.dataDir} yet.`);
  return { databaseUrl: databaseUrlAt(ports.postgres, databasePassword), chains, auditKey };
}
