/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Types are checked once, by `npm test`; a build only builds.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  // Native or stateful packages are loaded by Node itself: one instance for the front door and the handlers alike.
  serverExternalPackages: ["postgres", "pino", "prom-client", "viem", "@node-rs/argon2", "@zxcvbn-ts/core", "@zxcvbn-ts/language-common"],
  // A page is loaded when it is first asked for: all of them together are 30 MB that a process of the surfaces never needs.
  experimental: { preloadEntriesOnStart: false },
};

export default config;
