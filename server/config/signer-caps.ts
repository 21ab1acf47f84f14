import { z } from "zod";
import { decimal, floorToUnits } from "#domain/decimal.ts";
import type { SignerCap } from "#domain/signer-caps.ts";
import type { ChainConfig } from "./chains.ts";
import { placeOf, plainIssue } from "./weakness.ts";

const units = z.string().regex(/^\d{1,30}(\.\d{1,36})?$/, 'wants an amount in units, such as "50000"');
const Caps = z.record(z.string(), z.record(z.string(), z.strictObject({ hour: units.optional(), day: units.optional() })));

/** `{"eip155:1": {"USDT": {"hour": "50000", "day": "200000"}}}`: the signer's own caps. Left out: it has none. */
export function readCaps(text: string | undefined, chains: readonly ChainConfig[], report: (problem: string) => void): SignerCap[] {
  if (text === undefined) return [];
  const parsed = Caps.safeParse(parseJson(text));
  if (!parsed.success) {
    for (const issue of parsed.error.issues) report(`SIGNER_CAPS${placeOf(issue.path)} ${plainIssue(issue)}.`);
    return [];
  }
  return Object.entries(parsed.data).flatMap(([name, byCurrency]) =>
    Object.entries(byCurrency).flatMap(([currency, { hour, day }]) => {
      const chain = chains.find((one) => one.chain === name);
      const native = chain === undefined || chain.native === null ? [] : [{ ...chain.native, address: null }];
      const token = [...native, ...(chain?.tokens ?? [])].find((one) => one.currency === currency);
      if (token === undefined) {
        report(`SIGNER_CAPS: ${name} has no ${currency}.`);
        return [];
      }
      const base = (amount: string | undefined) => (amount === undefined ? null : floorToUnits(decimal(amount), token.decimals));
      return [{ chain: name, token: token.address, currency, hourBase: base(hour), dayBase: base(day) }];
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
