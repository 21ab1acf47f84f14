/** Anyone who asks for Markdown by `Accept` gets it, as does anyone who writes `.md` behind a page's address. */
const WANTS_MARKDOWN = [{ type: "header", key: "accept", value: "text/markdown(?:[,;].*)?" }];
const MARKDOWN_PAGES = [
  { source: "/docs.md", destination: "/docs/markdown" },
  { source: "/docs/:page([a-z0-9-]+).md", destination: "/docs/markdown/:page" },
  { source: "/docs/errors/:code([a-z0-9_]+).md", destination: "/docs/markdown/errors/:code" },
  { source: "/docs/reference/:group([a-z]+).md", destination: "/docs/markdown/reference/:group" },
  { source: "/docs", has: WANTS_MARKDOWN, destination: "/docs/markdown" },
  { source: "/docs/:page([a-z0-9-]+)", has: WANTS_MARKDOWN, destination: "/docs/markdown/:page" },
  { source: "/docs/errors/:code([a-z0-9_]+)", has: WANTS_MARKDOWN, destination: "/docs/markdown/errors/:code" },
  { source: "/docs/reference/:group([a-z]+)", has: WANTS_MARKDOWN, destination: "/docs/markdown/reference/:group" },
];

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types are checked once, by `npm test`; a build only builds.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Native or stateful packages are loaded by Node itself, and large ones that the front door has loaded already: one instance for it and the
  // pages alike.
  serverExternalPackages: [
    "postgres",
    "pino",
    "prom-client",
    "viem",
    "drizzle-orm",
    "zod",
    "ipaddr.js",
    "@node-rs/argon2",
    "@zxcvbn-ts/core",
    "@zxcvbn-ts/language-common",
  ],
  // A page is loaded when it is first asked for: all of them together are 30 MB that a process of the surfaces never needs.
  experimental: { preloadEntriesOnStart: false },
  // The documentation shows its samples as the files that are run.
  turbopack: { rules: { "*": { condition: { query: "?raw" }, type: "text" } } },
  rewrites: async () => ({ beforeFiles: MARKDOWN_PAGES, afterFiles: [], fallback: [] }),
};

export default config;
