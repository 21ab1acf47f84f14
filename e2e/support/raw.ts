import type { Answer } from "#sandbox/client/exchange.ts";
import * as raw from "#sandbox/client/raw.ts";
import { BASE_URL } from "./running-sandbox.ts";

/** Raw bytes to the running sandbox. */
export const sendBytes = (bytes: Buffer | string, options: { silenceMs?: number } = {}): Promise<Answer> =>
  raw.sendBytes(BASE_URL, bytes, options);

export const requestBytes = (
  ...args: [method: string, target: string, headers: readonly (readonly [string, string])[], body?: string]
): Buffer => raw.requestBytes(BASE_URL, ...args);
