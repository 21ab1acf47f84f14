import type { EvmIntent } from "#domain/evm-intent.ts";

/** A number as JSON-RPC writes it. */
export function hexOf(value: number | bigint): `0x${string}` {
  return `0x${value.toString(16)}`;
}

/** What a node plays when an intent is tried and not sent. */
export function callOf(sender: string, intent: EvmIntent): Record<string, string> {
  return { from: sender, ...(intent.to ? { to: intent.to } : {}), value: hexOf(intent.valueBase), data: intent.data };
}
