import { newNonce, signingBytes, signRequest } from "#sdk/typescript/src/signing.ts";
import type { Profile } from "./profile.ts";

export type Request = { method: string /** Path and query, as they go out. */; target: string; body: string | Uint8Array };
export type Signed = {
  /** The five headers, in the order of the documentation. */
  headers: readonly (readonly [name: string, value: string])[];
  parts: { timestamp: string; method: string; path: string; query: string };
  /** The signed bytes. */
  bytes: Uint8Array;
};

/** Signs one request, without sending anything. Defaults: the present time, and a random nonce. */
export async function sign(
  { api_key, api_secret, brand }: Pick<Profile, "api_key" | "api_secret" | "brand">,
  { method, target, body }: Request,
  choice: { timestamp?: string | undefined; nonce?: string | undefined } = {},
): Promise<Signed> {
  const [path = "", ...query] = target.split("?");
  const timestamp = choice.timestamp ?? String(Math.floor(Date.now() / 1_000));
  const parts = { timestamp, method, path, query: query.join("?") };
  return {
    headers: [
      ["Authorization", api_key],
      ["Content-Type", "application/json"],
      [`X-${brand}-Timestamp`, timestamp],
      [`X-${brand}-Nonce`, choice.nonce ?? (await newNonce())],
      [`X-${brand}-Signature`, await signRequest(api_secret, { ...parts, body })],
    ],
    parts,
    bytes: signingBytes({ ...parts, body }),
  };
}
