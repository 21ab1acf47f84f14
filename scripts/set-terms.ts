/**
 * `npm run set-terms -- FILE` gives pairs their first terms, without a browser. The file is a JSON array as in
 * docs/runbooks/start-live.md, amounts in units of their currencies as texts. Pairs that have terms keep them, so the same file can
 * be handed in again; to change terms is an administrator's, in the console. It wants the environment of a web process.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { findFiatCurrency } from "#domain/currency.ts";
import { readTerms } from "#domain/pair-terms.ts";
import { isRefusal } from "#domain/refusal.ts";
import { pairFields, termsInput } from "#server/console/terms-input.ts";
import { fromWire } from "#server/console/wire.ts";
import { openPairs } from "#server/services/rates/open-pairs.ts";
import { webWiring } from "#server/wiring.ts";

const File = z.array(fromWire({ ...pairFields, terms: termsInput })).min(1);

async function main(file: string | undefined): Promise<number> {
  if (file === undefined) {
    process.stderr.write("Usage: npm run set-terms -- FILE\n");
    return 2;
  }
  const read = File.safeParse(JSON.parse(readFileSync(file, "utf8")));
  if (!read.success) throw new Error(read.error.issues.map((issue) => `${file}: [${issue.path.join("].")}] ${issue.message}`).join("\n"));
  const { ctx, database } = webWiring();
  try {
    const pairs = read.data.map(({ terms, ...pair }) => {
      const { sourceCurrency, destinationCurrency, chain } = pair;
      const source = findFiatCurrency(sourceCurrency);
      const token = ctx.chains.find(chain)?.tokens.find(({ currency }) => currency === destinationCurrency);
      const name = `${sourceCurrency}/${destinationCurrency} on ${chain}`;
      if (source === null) throw new Error(`${name}: ${sourceCurrency} is no fiat currency.`);
      if (token === undefined) throw new Error(`${name}: CHAINS has no such chain, or not that token on it.`);
      return { ...pair, terms: readTerms(terms, source.exponent, token.decimals) };
    });
    for (const { sourceCurrency, destinationCurrency, chain, opened } of await openPairs(ctx, pairs)) {
      const outcome = opened ? "set" : "kept: it has terms, which are changed in the console";
      process.stdout.write(`${sourceCurrency}/${destinationCurrency} on ${chain}: ${outcome}\n`);
    }
    return 0;
  } finally {
    await database.close();
  }
}

function explain(error: unknown): string {
  if (isRefusal(error))
    return [error.message, ...(error.particulars.errors ?? []).map(({ pointer, message }) => `  ${pointer} ${message}`)].join("\n");
  return error instanceof Error ? error.message : String(error);
}

try {
  process.exitCode = await main(process.argv[2]);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
