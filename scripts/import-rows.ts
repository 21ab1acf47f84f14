/** Who may import whom: the one table that biome's rules (biome.imports.json) and the picture in docs/architecture.md are written from. */

/**
 * - **room**: the importing room. A name is a folder with everything below it; `x/*` only the files in it. A later row takes precedence.
 * - **of the project**: the rooms that it may import, besides itself. A name that ends in `.ts` is an exception for that single file.
 * - **packages**: the packages of npm and of Node.
 *
 * Deny by default: a folder without a row may import nothing, and anything that its row does not name is refused. The rows are in order
 * from the bottom up: each names only rooms above it in this list, so that there is no cycle.
 */
export type Row = readonly [rooms: string, project: string, packages: string];

const NODE = "node:* node:*/*";
const PAGES = "react react-dom next next/**";

/**
 * The rooms of `server/services` in order: each may import the ones before it. `proposals` says how something waits for a second person, so
 * almost every room needs it; `proposal-decisions` executes whatever waits, so it needs almost every room.
 */
const SERVICE_ROOMS = words(`
  proposals events access approval-policy partners audit callbacks event-destinations exposure halts ledger attestations transfers maintenance rates holds fiat safes
  members notifications people identity-providers saved-views screening settlements transactions treasury proposal-decisions
`);

const BELOW_SERVICES =
  "domain server/context.ts server/ports.ts db/queries db/client.ts db/lease.ts db/search.ts db/transaction.ts db/trouble.ts db/walk.ts contract/settlement/v1/callback-body.ts contract/partner/fiat-answers.ts contract/proposal-bodies.ts contract/wire.ts";

/** The names in a text, in their order. */
function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** What an event says is what the GET of its object answers: only this room renders that. */
const EVENT_DATA =
  "contract/settlement/v1/batches.ts contract/settlement/v1/callbacks.ts contract/settlement/v1/event-destinations.ts contract/settlement/v1/events.ts contract/settlement/v1/settlement.ts contract/partner/member.ts";

function toServiceRow(room: string, place: number): Row {
  const before = SERVICE_ROOMS.slice(0, place).map((name) => `server/services/${name}`);
  return [`server/services/${room}`, [BELOW_SERVICES, ...(room === "events" ? [EVENT_DATA] : []), ...before].join(" "), "node:crypto"];
}

export const ROWS: readonly Row[] = [
  ["sdk", "", NODE],
  ["sdk/typescript/src", "", ""],
  ["domain", "", "node:crypto currency-codes @noble/hashes/** @scure/base"],
  ["contract/*", "domain", "zod"],
  ["contract/settlement", "domain contract/*", "zod"],
  ["contract/partner", "domain contract/*", "zod"],
  ["server/ports.ts", "domain", ""],
  [
    "db/* db/driver db/schema db/queries",
    "domain",
    "drizzle-orm drizzle-orm/** postgres node:crypto node:fs node:path node:timers/promises node:url",
  ],
  ["server/context.ts", "domain server/ports.ts db/client.ts", ""],
  ...SERVICE_ROOMS.map(toServiceRow),
  [
    "server/engines",
    "domain server/services server/context.ts server/ports.ts db/queries db/client.ts db/lease.ts db/trouble.ts",
    "node:crypto",
  ],
  [
    "server/adapters",
    "domain server/ports.ts",
    `${NODE} viem viem/** zod ipaddr.js @noble/hashes/** @node-rs/argon2 @zxcvbn-ts/* @simplewebauthn/server nodemailer openid-client jose amqplib @nats-io/* @solana/kit`,
  ],
  [
    "server/adapters/signer",
    "domain server/ports.ts server/adapters/chain/json-rpc.ts server/adapters/chain/tron/transaction.ts server/adapters/chain/tempo/payment-bytes.ts",
    `${NODE} viem viem/** zod @noble/hashes/** pkcs11js @aws-sdk/client-kms`,
  ],
  ["server/observe", "domain server/ports.ts server/context.ts db/queries", `${NODE} pino prom-client zod`],
  ["server/observe/start-tracing.ts", "domain server/ports.ts", `${NODE} @opentelemetry/*`],
  [
    "server/config server/config.ts",
    "domain server/observe server/ports.ts server/adapters/rates/http/config.ts",
    "node:fs node:path zod ipaddr.js",
  ],
  [
    "server/auth",
    "domain server/services/people server/services/identity-providers server/context.ts contract/refusal-status.ts",
    "next-auth next-auth/** node:crypto zod",
  ],
  [
    "server/rest",
    "domain contract server/services server/observe server/context.ts server/ports.ts db/replica.ts db/transaction.ts db/trouble.ts",
    `${NODE} ipaddr.js yaml zod`,
  ],
  [
    "server/console",
    "domain contract server/services server/auth server/observe server/context.ts server/ports.ts db/replica.ts",
    "@trpc/server @trpc/server/** zod",
  ],
  [
    "server/wiring.ts",
    "domain server/config server/adapters server/observe server/config.ts server/context.ts server/ports.ts server/auth/console-gate.ts server/rest/client-address.ts server/rest/status-watch.ts server/rest/surface-context.ts db/client.ts db/driver/late-use.ts db/event-bell.ts db/application-role.ts db/replica.ts",
    "",
  ],
  [
    "server/process",
    "domain server/config server/config.ts server/services/maintenance/assert-fit-database.ts db/client.ts db/driver/client-certificate.ts db/migrate.ts db/service-login.ts db/trouble.ts",
    `${NODE} postgres`,
  ],
  [
    "server/signer",
    "domain server/services server/adapters/signer-socket server/context.ts server/ports.ts db/queries db/trouble.ts",
    NODE,
  ],
  ["server/signer/main.ts", "server/process/resolve-quickly.ts", ""],
  [
    "server/signer/run.ts",
    "domain server/adapters server/config server/observe/log.ts server/ports.ts server/services/maintenance/assert-fit-database.ts server/process/end-badly.ts server/process/stop-signal.ts db/client.ts",
    "",
  ],
  ["server/signer/wiring.ts", "domain server/adapters server/config server/context.ts server/ports.ts", ""],
  [
    "server/worker",
    "domain server/services server/engines server/observe server/context.ts server/ports.ts server/config.ts server/wiring.ts server/process/end-badly.ts server/process/stop-signal.ts db/client.ts",
    NODE,
  ],
  [
    "server/worker/wiring.ts",
    "domain server/adapters server/config.ts server/ports.ts server/process/local-address.ts server/signer server/wiring.ts",
    "",
  ],
  [
    "server/http",
    "domain server/rest server/observe server/context.ts server/ports.ts server/config.ts server/wiring.ts server/process/end-badly.ts server/services/maintenance/assert-fit-database.ts server/services/maintenance/read-vitals.ts server/services/rates/estimate-cost.ts",
    `${NODE} next`,
  ],
  ["app/**/*.tsx app/**/_*/**", "domain contract server/wiring.ts", `${PAGES} geist/**`],
  [
    "app/console",
    "domain contract server/console/router.ts",
    `react react-dom next next/headers next/navigation next/server @base-ui/react/** @tanstack/react-query @trpc/client @trpc/server/observable @trpc/tanstack-react-query react-hook-form lucide-react marked qr @simplewebauthn/browser`,
  ],
  [
    "app/console/_trpc/page.ts",
    "server/auth server/console server/rest/troubles.ts server/wiring.ts",
    "react next next/** @trpc/server @tanstack/react-query @trpc/tanstack-react-query",
  ],
  ["app/**/route.ts", "domain server/rest server/console server/auth server/wiring.ts", "next next/**"],
  ["app/docs/_parts/search-index.ts", "", "minisearch"],
  ["app/docs/_parts/site.ts", "server/config.ts", ""],
  ["app/docs/_samples", "", `${NODE} settlement-sdk`],
  ["app/docs/signing-vectors.json/route.ts", "docs/signing-vectors.json", ""],
  ["cli", "domain contract sdk/typescript/src app/docs/_content sdk/pack.ts", `${NODE} zod @modelcontextprotocol/sdk/**`],
  ["cli/init", "", `${NODE} settlement-sdk`],
  [
    "cli/certify",
    "domain contract sdk/typescript/src server/services/callbacks/judge-probe.ts server/services/callbacks/receiver-probes.ts server/services/callbacks/sign-attempt.ts",
    `${NODE} zod`,
  ],
  [
    "sandbox",
    "domain contract db sdk/typescript/src server/config server/adapters server/context.ts server/engines server/process server/services server/signer/wiring.ts server/worker",
    `${NODE} drizzle-orm drizzle-orm/** postgres standardwebhooks tronweb viem viem/** zod litesvm @solana/kit`,
  ],
  [
    "scripts",
    "domain contract db sandbox server/adapters server/config server/config.ts server/console server/ports.ts server/process server/rest server/services server/wiring.ts",
    `${NODE} viem viem/** zod`,
  ],
  [
    "testing",
    "domain db cli sandbox scripts server",
    `${NODE} @modelcontextprotocol/sdk/** ajv-formats ajv/** drizzle-orm jose next-auth/jwt oidc-provider pkcs11js postgres viem viem/** vitest vitest/** zod`,
  ],
  [
    "e2e",
    "domain contract app cli sandbox scripts sdk testing server/adapters server/rest",
    `${NODE} @playwright/test axe-core crypto-js settlement-sdk standardwebhooks viem viem/** zod`,
  ],
  ["bench", "domain contract db e2e sandbox testing server", `${NODE} @playwright/test amqplib fastify postgres viem viem/** zod`],
  ["fault", "domain bench db e2e sandbox testing server", `${NODE} postgres viem viem/** zod`],
  ["packaging", "domain sandbox scripts testing server/config server/process", `${NODE} postgres viem viem/** zod`],
  ["release", "domain db e2e packaging sandbox scripts testing", `${NODE} @playwright/test zod`],
];

const isFile = (name: string) => /\.(tsx?|json)$/.test(name);

/** `db` → `db/**`; `contract/*` → its files; a file and a pattern as they are. */
function toGlob(name: string): string {
  if (name.endsWith("/*") && !name.includes("**")) return `${name}.ts`;
  return isFile(name) || name.includes("*") ? name : `${name}/**`;
}

/** A row for biome: it refuses everything except the named rooms, the room itself, and neighbours of the file. */
export function toOverride([rooms, imports, packages]: Row): object {
  const own = words(rooms).filter((name) => !name.includes("**"));
  // Pages and stories lie deep and name their neighbours by the way up; that way must not lead out of their folder.
  const goesUp = rooms.startsWith("app") || rooms === "e2e";
  const inside = goesUp ? ["!./**", "!../**", "../**/{server,db,sandbox,testing}/**"] : ["!./**"];
  const allowed = [...[...own, ...words(imports)].map((name) => `#${toGlob(name)}`), ...words(packages)];
  const group = ["**", ...inside, ...allowed.map((glob) => `!${glob}`)];
  const message = `${rooms} may import of the project: ${imports || "nothing else"} (scripts/import-rows.ts).`;
  const noRestrictedImports = { level: "error", options: { patterns: [{ group, message }] } };
  return { includes: words(rooms).map(toGlob), linter: { rules: { style: { noRestrictedImports } } } };
}

/** Imports that the table allows although they lead back up, or to no room: `room → name`, a line each. Data files belong to no room. */
export function arrowsUp(rows: readonly Row[]): string[] {
  return rows.flatMap(([rooms, imports], index) =>
    words(imports)
      .filter((name) => !name.endsWith(".json"))
      .filter((name) => {
        const places = rows.flatMap(([others], place) => (words(others).some((room) => meets(room, name)) ? [place] : []));
        return places.length === 0 || places.some((place) => place >= index);
      })
      .map((name) => `${rooms} → ${name}`),
  );
}

/** Whether the name refers to files of that room. */
function meets(room: string, name: string): boolean {
  if (name.endsWith("/*")) return room === name;
  const base = room.replace(/\/\*.*$/, "");
  return base === name || base.startsWith(`${name}/`) || name.startsWith(`${base}/`);
}

/** The table for docs/architecture.md: top down, without exceptions and packages. */
export function toMarkdown(rows: readonly Row[]): string {
  const cell = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(" ");
  // A file with its own row is a room; any other is an exception.
  const isHole = (name: string) => isFile(name) && !rows.some(([others]) => words(others).includes(name));
  const [lowest] = SERVICE_ROOMS;
  const lines = rows.toReversed().map(([rooms, imports]) => {
    if (SERVICE_ROOMS.some((room) => room !== lowest && rooms === `server/services/${room}`))
      return `| \`${rooms}\` | the rooms of \`server/services\` below, and what \`${lowest}\` may | |`;
    const named = words(imports);
    return `| ${[words(rooms), named.filter((name) => !isHole(name)), named.filter(isHole)].map(cell).join(" | ")} |`;
  });
  return ["| Room | may import | and these single files |", "|---|---|---|", ...lines].join("\n");
}
