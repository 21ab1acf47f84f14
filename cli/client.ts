import { type Options, SettlementClient } from "#sdk/typescript/src/index.ts";
import type { Profile } from "./profile.ts";

/** The SDK with the logged-in key. */
export function clientOf(profile: Profile, options: Partial<Options> = {}): SettlementClient {
  const { base_url, api_key, api_secret, brand } = profile;
  return new SettlementClient({ baseUrl: base_url, apiKey: api_key, apiSecret: api_secret, brand, ...options });
}
