import type { Variables } from "./variables.ts";
import { weaknessOfPassword } from "./weakness.ts";

/** Who collects and pays out fiat. `secret`: what both sides sign with. */
export type FiatRailConfig =
  | { kind: "simulated"; secret: string }
  | {
      kind: "http";
      secret: string;
      /** Without a slash at its end. */
      url: string;
      paths: { collect: string; payOut: string; lookUp: string };
      timeoutMs: number;
    };

/** For a sandbox that was started by hand without a secret. Everybody knows it, so that live mode takes it for none. */
export const SANDBOX_RAIL_SECRET = "rail_test_everybody_knows_this_one";

const SHORTEST_SECRET = 32;

/** The rail as configured. Every fault is told through `report`. */
export function readFiatRail(variables: Variables, report: (problem: string) => void): FiatRailConfig {
  const secret = variables.FIAT_RAIL_SECRET ?? SANDBOX_RAIL_SECRET;
  const kind = variables.FIAT_RAIL ?? (variables.MODE === "live" ? "http" : "simulated");
  if (kind === "simulated") return { kind: "simulated", secret };
  if (variables.FIAT_RAIL_SECRET === undefined) report("FIAT_RAIL_SECRET is missing: what the fiat provider and the service sign with.");
  if (variables.FIAT_RAIL_URL === undefined) report("FIAT_RAIL_URL is missing: the address of the fiat provider.");
  return {
    kind: "http",
    secret,
    url: variables.FIAT_RAIL_URL ?? "",
    paths: {
      collect: variables.FIAT_RAIL_COLLECT_PATH,
      payOut: variables.FIAT_RAIL_PAYOUT_PATH,
      lookUp: variables.FIAT_RAIL_STATUS_PATH,
    },
    timeoutMs: variables.FIAT_RAIL_TIMEOUT_MS,
  };
}

/** Tells through `report` what keeps the rail from being safe with other people's money (contract, part 8). */
export function reportUnsafeRail(variables: Variables, report: (problem: string) => void): void {
  if (variables.FIAT_RAIL === undefined) report("FIAT_RAIL is missing: live mode wants http.");
  if (variables.FIAT_RAIL === "simulated") report("FIAT_RAIL is simulated: play money is for the sandbox; live mode wants http.");
  const { FIAT_RAIL_SECRET: secret, FIAT_RAIL_URL: url } = variables;
  if (url !== undefined && !url.startsWith("https://")) report("FIAT_RAIL_URL must be https.");
  if (secret === undefined) return;
  if (secret.startsWith("rail_test_")) report("FIAT_RAIL_SECRET is a sandbox secret.");
  else if (secret.length < SHORTEST_SECRET) report(`FIAT_RAIL_SECRET is shorter than ${SHORTEST_SECRET} characters.`);
  else {
    const weakness = weaknessOfPassword(secret);
    if (weakness) report(`FIAT_RAIL_SECRET ${weakness}.`);
  }
}
