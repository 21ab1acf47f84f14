import { registerHooks } from "node:module";

/**
 * Loaded before a worker: what it takes for the signer's socket is then the signer itself, in its own process (`own-signer.ts`). `?settings=`
 * names the file with the signer's settings.
 */
const SOCKET = "#server/adapters/signer-socket/connect.ts";
const own = new URL(`./own-signer.ts${new URL(import.meta.url).search}`, import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === SOCKET ? { url: own, format: "module-typescript", shortCircuit: true } : next(specifier, context),
});
