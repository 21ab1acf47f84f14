/**
 * `npm run set-terms -- FILE` gives pairs their first terms, without a browser. The file is a JSON array as in docs/runbooks/start-live.md,
 * amounts in units of their currencies as texts. Pairs that have terms keep them, so the same file can be applied again; an administrator
 * changes terms in the console. It needs the environment of a web process.
 */
import { z } from "zod";
import { fromWire } from "#contract/wire.ts";
import { findFiatCurrency } from "#domain/currency.ts";
import { readTerms } from "#domain/pair-terms.ts";
import { pairFields, termsInput } from "#server/console/terms-input.ts";
import { openPairs } from "#server/services/rates/add-terms-version.ts";
import { faultsOf, readJsonFile, runCommand } from "./command.ts";
import { SIGNED_BY_NOBODY, withWiring } from "./wired.ts";

const File = z.array(fromWire({ ...pairFields, terms: termsInput })).min(1);

async function main(file: string | undefined): Promise<number> {
  if (file === undefined) {
    process.stderr.write("Usage: npm run set-terms -- FILE\n");
    return 2;
  }
  const written = readJsonFile(File, file);
  return await withWiring(async ({ ctx }) => {
    const pairs = written.map(({ terms, ...pair }) => {
      const source = findFiatCurrency(pair.sourceCurrency);
      const token = ctx.chains.find(pair.chain)?.tokens.find(({ currency }) => currency === pair.destinationCurrency);
      const name = `${pair.sourceCurrency}/${pair.destinationCurrency} on ${pair.chain}`;
      if (source === null) throw new Error(`${name}: ${pair.sourceCurrency} is no fiat currency.`);
      if (token === undefined) throw new Error(`${name}: CHAINS has no such chain, or not that token on it.`);
      return { ...pair, terms: readTerms(terms, source.exponent, token.decimals) };
    });
    for (const { sourceCurrency, destinationCurrency, chain, opened } of await openPairs(ctx, pairs)) {
      const outcome = opened ? "set" : "kept: it has terms, which are changed in the console";
      process.stdout.write(`${sourceCurrency}/${destinationCurrency} on ${chain}: ${outcome}\n`);
    }
    process.stdout.write(SIGNED_BY_NOBODY);
  });
}

await runCommand(() => main(process.argv[2]), { explain: faultsOf });
