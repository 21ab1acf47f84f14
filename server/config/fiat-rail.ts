import type { Variables } from "./variables.ts";
import { weaknessOfPassword } from "./weakness.ts";

/** A provider over HTTP. `secret`: both sides sign with it. */
export type HttpRailSettings = {
  /** What orders that are with it bear. */
  name: string;
  secret: string;
  /** Without a slash at its end. */
  url: string;
  paths: { collect: string; payOut: string; lookUp: string };
  timeoutMs: number;
};

/** Who collects and pays out fiat for new orders, and the providers before it, which end the orders that they began. */
export type FiatRailConfig = ({ kind: "simulated"; name: string; secret: string } | ({ kind: "http" } & HttpRailSettings)) & {
  former: HttpRailSettings[];
};

/** For a sandbox that was started manually without a secret. Everybody knows it, so live mode treats it as missing. */
export const SANDBOX_RAIL_SECRET = "rail_test_everybody_knows_this_one";

const SHORTEST_SECRET = 32;

/** The configured rails. Every fault is passed to `report`. */
export function readFiatRail(variables: Variables, report: (problem: string) => void): FiatRailConfig {
  const secret = variables.FIAT_RAIL_SECRET ?? SANDBOX_RAIL_SECRET;
  const { FIAT_RAIL_NAME: name, FIAT_RAIL_TIMEOUT_MS: timeoutMs, FIAT_RAIL_FORMER = [] } = variables;
  const former = FIAT_RAIL_FORMER.map((rail) => ({
    name: rail.name,
    secret: rail.secret,
    url: rail.url,
    paths: { collect: rail.collect_path, payOut: rail.payout_path, lookUp: rail.status_path },
    timeoutMs,
  }));
  // By its secret a provider is known when it calls, and by its name on an order.
  const all = [{ name, secret }, ...former];
  if (new Set(all.map((one) => one.name)).size < all.length) report("FIAT_RAIL_FORMER uses a name twice, or that of FIAT_RAIL_NAME.");
  if (new Set(all.map((one) => one.secret)).size < all.length) report("FIAT_RAIL_FORMER uses a secret twice, or FIAT_RAIL_SECRET.");
  const kind = variables.FIAT_RAIL ?? (variables.MODE === "live" ? "http" : "simulated");
  if (kind === "simulated") return { kind: "simulated", name, secret, former };
  if (variables.FIAT_RAIL_SECRET === undefined) report("FIAT_RAIL_SECRET is missing: what the fiat provider and the service sign with.");
  if (variables.FIAT_RAIL_URL === undefined) report("FIAT_RAIL_URL is missing: the address of the fiat provider.");
  return {
    kind: "http",
    name,
    secret,
    url: variables.FIAT_RAIL_URL ?? "",
    paths: {
      collect: variables.FIAT_RAIL_COLLECT_PATH,
      payOut: variables.FIAT_RAIL_PAYOUT_PATH,
      lookUp: variables.FIAT_RAIL_STATUS_PATH,
    },
    timeoutMs,
    former,
  };
}

/** Reports everything that makes the rails unsafe for other people's money (contract, part 8). */
export function reportUnsafeRail(variables: Variables, report: (problem: string) => void): void {
  if (variables.FIAT_RAIL === undefined) report("FIAT_RAIL is missing: live mode needs http.");
  if (variables.FIAT_RAIL === "simulated") report("FIAT_RAIL is simulated: play money is for the sandbox; live mode needs http.");
  const { FIAT_RAIL_SECRET: secret, FIAT_RAIL_URL: url, FIAT_RAIL_FORMER = [] } = variables;
  if (url !== undefined && !url.startsWith("https://")) report("FIAT_RAIL_URL must be https.");
  if (secret !== undefined) reportUnsafeSecret("FIAT_RAIL_SECRET", secret, report);
  for (const former of FIAT_RAIL_FORMER) {
    if (!former.url.startsWith("https://")) report(`FIAT_RAIL_FORMER: the url of ${former.name} must be https.`);
    reportUnsafeSecret(`FIAT_RAIL_FORMER: the secret of ${former.name}`, former.secret, report);
  }
}

function reportUnsafeSecret(what: string, secret: string, report: (problem: string) => void): void {
  const weakness = weaknessOfPassword(secret);
  if (secret.startsWith("rail_test_")) report(`${what} is a sandbox secret.`);
  else if (secret.length < SHORTEST_SECRET) report(`${what} is shorter than ${SHORTEST_SECRET} characters.`);
  else if (weakness) report(`${what} ${weakness}.`);
}
