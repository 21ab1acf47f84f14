/**
 * Who may import whom (docs/architecture.md). Deny by default: a folder without a row may import nothing, and what a row does not name is
 * refused. `node scripts/import-rules.ts` writes it as `biome.imports.json`, which biome.json extends; `--check` only compares.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files (globs apart by a space), what they may import (globs apart by a space; `./*` is each one's own folder), and why. */
type Row = readonly [files: string, may: string, why: string];

const ROWS: readonly Row[] = [
  [
    "domain/**",
    "./* #domain/** node:crypto currency-codes @noble/hashes/** @scure/base",
    "The domain imports nothing but itself (docs/architecture.md).",
  ],
  ["contract/*.ts", "./* #domain/** #contract/*.ts zod", "The contract stands on the domain and zod."],
  [
    "contract/settlement/**",
    "./* #domain/** #contract/*.ts #contract/settlement/** zod",
    "The settlement contract stands on the domain, the contract's root and zod; the two contracts never meet.",
  ],
  [
    "contract/partner/**",
    "./* #domain/** #contract/*.ts #contract/partner/** zod",
    "The partner contract stands on the domain, the contract's root and zod; the two contracts never meet.",
  ],
  ["server/ports.ts", "#domain/**", "Ports know the domain alone."],
  ["server/context.ts", "#domain/** ./ports.ts #server/ports.ts #db/client.ts", "The context is made of ports and the database."],
  [
    "db/*.ts db/schema/** db/queries/**",
    "./* #domain/** #db/*.ts #db/schema/** #db/queries/** drizzle-orm drizzle-orm/** postgres node:crypto node:fs node:path node:timers/promises node:url",
    "The database knows the domain and drizzle.",
  ],
  [
    "server/services/**",
    "./* #domain/** #server/services/** #server/context.ts #server/ports.ts #contract/settlement/v1/callback-body.ts #contract/partner/fiat-answers.ts #contract/proposal-bodies.ts #db/queries/** #db/client.ts #db/lease.ts #db/search.ts #db/trouble.ts #db/walk.ts node:crypto",
    "A service uses the domain, the database's queries and what its context hands it.",
  ],
  [
    "server/engines/**",
    "./* #domain/** #server/engines/** #server/services/** #server/context.ts #server/ports.ts #db/queries/** #db/client.ts #db/lease.ts #db/trouble.ts node:crypto",
    "An engine does due work with services, the database's queries and what its context hands it.",
  ],
  [
    "server/adapters/**",
    "./* #domain/** #server/ports.ts #server/adapters/** node:* node:*/* viem viem/** zod ipaddr.js standardwebhooks @noble/hashes/** @node-rs/argon2 @zxcvbn-ts/*",
    "An adapter fulfils a port: it knows the domain, the ports and its vendor.",
  ],
  [
    "server/rest/**",
    "./* #domain/** #server/rest/** #contract/** #server/services/** #server/context.ts #server/ports.ts #server/observe/** #db/trouble.ts node:* ipaddr.js zod",
    "An interface translates: contract in, service, contract out.",
  ],
  [
    "server/console/**",
    "./* ./** ../* #domain/** #server/console/** #server/auth/** #contract/** #server/services/** #server/context.ts #server/ports.ts #server/observe/** @trpc/server @trpc/server/** zod",
    "A procedure translates: contract in, service, contract out.",
  ],
  [
    "server/auth/**",
    "./* #domain/** #server/services/people/** #contract/refusal-status.ts #server/context.ts next-auth next-auth/** node:crypto zod",
    "Signing in knows the people's services and next-auth.",
  ],
  [
    "server/worker/**",
    "./* #domain/** #server/worker/** #server/process/end-badly.ts #server/engines/** #server/services/** #server/context.ts #server/ports.ts #server/observe/** #server/wiring.ts #server/config.ts #db/client.ts node:* node:*/*",
    "The worker runs engines and services.",
  ],
  [
    "server/http/**",
    "./* #domain/** #server/services/upkeep/assert-fit-database.ts #server/http/** #server/process/end-badly.ts #server/rest/** #server/observe/** #server/config.ts #server/context.ts #server/ports.ts #server/wiring.ts next node:* node:*/*",
    "The front door hands requests on.",
  ],
  [
    "server/wiring.ts",
    "./* #domain/** #server/config.ts #server/config/** #server/context.ts #server/ports.ts #server/adapters/** #server/observe/** #server/auth/console-gate.ts #server/rest/client-address.ts #server/rest/door.ts #db/client.ts #db/application-role.ts",
    "The wiring builds the context out of adapters.",
  ],
  [
    "server/config.ts server/config/**",
    "./* #domain/** #server/config/** #server/observe/** #server/ports.ts #server/adapters/rates/http/config.ts node:fs node:path zod ipaddr.js",
    "The configuration reads the environment and nothing else.",
  ],
  [
    "server/observe/**",
    "./* #domain/** #server/observe/** #server/ports.ts #server/context.ts #db/queries/** pino prom-client zod node:* node:*/*",
    "Observing knows nothing of what happens.",
  ],
  [
    "server/process/**",
    "./* #domain/** #server/services/upkeep/assert-fit-database.ts #server/services/upkeep/assert-live-database.ts #db/client.ts #server/process/** #server/config.ts #server/config/** #db/migrate.ts #db/trouble.ts postgres node:* node:*/*",
    "What supervises processes knows nothing of what they do, and never loads the sandbox.",
  ],
  [
    "app/**/route.ts",
    "./* #domain/** #server/rest/** #server/console/** #server/auth/** #server/wiring.ts next next/**",
    "A route binds an operation to a service and does nothing else.",
  ],
  [
    "app/**/*.tsx app/**/_*/**",
    "./* ./** ../** #app/** #domain/** #contract/** #server/wiring.ts react react-dom next next/** geist/**",
    "A page shows; it takes data from the contract and the wiring.",
  ],
  [
    "app/console/** !app/console/**/route.ts",
    "./* ./** ../** #app/** #domain/** #contract/** #server/console/router.ts react react-dom next next/** @base-ui/react/** @tanstack/react-query @trpc/client @trpc/server/observable @trpc/tanstack-react-query react-hook-form nuqs nuqs/** lucide-react qr recharts",
    "A page of the console shows what procedures answer, and takes the router's type alone.",
  ],
  [
    "app/console/_trpc/server.ts app/console/_trpc/session.ts",
    "./* #server/auth/** #server/console/** #server/wiring.ts react next next/** @trpc/server @tanstack/react-query @trpc/tanstack-react-query",
    "The server's half of the pages: it asks the procedures without HTTP.",
  ],
  ["app/docs/signing-vectors.json/route.ts", "#docs/signing-vectors.json", "This route hands out one file of the repository."],
  [
    "app/docs/_parts/site.ts",
    "#server/config.ts",
    "The pages learn the installation's address and brand here, and nothing else of its configuration.",
  ],
];

const RULES = fileURLToPath(new URL("../biome.imports.json", import.meta.url));

/** As biome reads a row: everything is refused but what is named. */
function toOverride([files, may, message]: Row): object {
  const group = ["**", ...may.split(" ").map((glob) => `!${glob}`)];
  const noRestrictedImports = { level: "error", options: { patterns: [{ group, message }] } };
  return { includes: files.split(" "), linter: { rules: { style: { noRestrictedImports } } } };
}

const wanted = `${JSON.stringify({ overrides: ROWS.map(toOverride) }, null, 2)}\n`;
if (!process.argv.includes("--check")) writeFileSync(RULES, wanted);
else if (readFileSync(RULES, "utf8") !== wanted) {
  process.stderr.write("biome.imports.json and the rows in scripts/import-rules.ts differ: run `node scripts/import-rules.ts`.\n");
  process.exit(1);
}
