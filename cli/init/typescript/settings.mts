import { loadEnvFile } from "node:process";
import { fileURLToPath } from "node:url";
import { SettlementClient } from "settlement-sdk";

loadEnvFile(fileURLToPath(new URL(".env", import.meta.url)));

/** A setting of the file .env. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} in the file .env.`);
  return value;
}

/** The client of your partner. */
export function createClient(): SettlementClient {
  const [baseUrl, apiKey, apiSecret] = ["SETTLEMENT_URL", "API_KEY", "API_SECRET"].map(setting) as [string, string, string];
  return new SettlementClient({ baseUrl, apiKey, apiSecret, brand: setting("BRAND") });
}
