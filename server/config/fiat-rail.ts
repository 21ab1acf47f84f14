import type { Variables } from "./variables.ts";
import { weaknessOfPassword } from "./weakness.ts";

/** What knows a provider when it calls: its name on orders, and the secret under which it signs. */
export type ProviderCheck = { name: string; secret: string };

/** A provider over HTTP, as the worker orders from it. `secret`: what signs orders. */
export type HttpRailSettings = {
  /** What orders that are with it bear. */
  name: string;
  secret: string;
  /** Without a slash at its end. */
  url: string;
  paths: { collect: string; payOut: string; lookUp: string /** null: it is not asked for its balance. */; balance: string | null };
  timeoutMs: number;
};

/** Who collects and pays out fiat for new orders, and the providers before it, which end the orders that they began. */
export type FiatRailConfig = { kind: "simulated" | "http" } & ProviderCheck & { former: ProviderCheck[] };

/** For a sandbox that was started manually without a secret. Everybody knows it, so live mode treats it as missing. */
export const SANDBOX_RAIL_SECRET = "rail_test_everybody_knows_this_one";

const SHORTEST_SECRET = 32;

type Report = (problem: string) => void;

/** The configured rails, as every process knows them. Every fault is passed to `report`. */
export function readFiatRail(variables: Variables, report: Report): FiatRailConfig {
  const secret = variables.FIAT_RAIL_SECRET ?? SANDBOX_RAIL_SECRET;
  const { FIAT_RAIL_NAME: name, FIAT_RAIL_FORMER = [] } = variables;
  const former = FIAT_RAIL_FORMER.map((rail) => ({ name: rail.name, secret: rail.secret }));
  // By its secret a provider is known when it calls, and by its name on an order.
  const all = [{ name, secret }, ...former];
  if (new Set(all.map((one) => one.name)).size < all.length) report("FIAT_RAIL_FORMER uses a name twice, or that of FIAT_RAIL_NAME.");
  if (new Set(all.map((one) => one.secret)).size < all.length) report("FIAT_RAIL_FORMER uses a secret twice, or FIAT_RAIL_SECRET.");
  const kind = kindOf(variables);
  if (kind === "http" && variables.FIAT_RAIL_SECRET === undefined)
    report("FIAT_RAIL_SECRET is missing: what the fiat provider signs its callbacks with.");
  return { kind, name, secret, former };
}

/** The rails over HTTP with what orders from them: the worker's alone. In live mode no secret signs orders and callbacks alike. */
export function readHttpRails(variables: Variables, report: Report): HttpRailSettings[] {
  const { FIAT_RAIL_NAME: name, FIAT_RAIL_TIMEOUT_MS: timeoutMs, FIAT_RAIL_FORMER = [] } = variables;
  const rails = FIAT_RAIL_FORMER.map((rail) => {
    if (rail.url === undefined) report(`FIAT_RAIL_FORMER: the url of ${rail.name} is missing.`);
    const own = { what: `FIAT_RAIL_FORMER: the order_secret of ${rail.name}`, secret: rail.order_secret, checks: rail.secret };
    const paths = { collect: rail.collect_path, payOut: rail.payout_path, lookUp: rail.status_path, balance: rail.balance_path ?? null };
    return { name: rail.name, secret: orderSecretOf(variables, own, report), url: rail.url ?? "", paths, timeoutMs };
  });
  if (kindOf(variables) === "simulated") return rails;
  if (variables.FIAT_RAIL_URL === undefined) report("FIAT_RAIL_URL is missing: the address of the fiat provider.");
  const checks = variables.FIAT_RAIL_SECRET ?? SANDBOX_RAIL_SECRET;
  const own = { what: "FIAT_RAIL_ORDER_SECRET", secret: variables.FIAT_RAIL_ORDER_SECRET, checks };
  const paths = {
    collect: variables.FIAT_RAIL_COLLECT_PATH,
    payOut: variables.FIAT_RAIL_PAYOUT_PATH,
    lookUp: variables.FIAT_RAIL_STATUS_PATH,
    balance: variables.FIAT_RAIL_BALANCE_PATH ?? null,
  };
  return [{ name, secret: orderSecretOf(variables, own, report), url: variables.FIAT_RAIL_URL ?? "", paths, timeoutMs }, ...rails];
}

type OrderSecret = { what: string; secret: string | undefined; checks: string };

/** In the sandbox one secret may do for both. */
function orderSecretOf({ MODE, FIAT_RAIL_FORMER = [], ...rest }: Variables, { what, secret, checks }: OrderSecret, report: Report): string {
  if (MODE !== "live") return secret ?? checks;
  const checking = [rest.FIAT_RAIL_SECRET, ...FIAT_RAIL_FORMER.map((rail) => rail.secret)];
  if (secret === undefined) report(`${what} is missing: what orders to the fiat provider are signed with.`);
  else if (checking.includes(secret))
    report(`${what} also checks callbacks, and the web process has it: agree on two secrets with the provider.`);
  else reportUnsafeSecret(what, secret, report);
  return secret ?? "";
}

function kindOf(variables: Variables): FiatRailConfig["kind"] {
  return variables.FIAT_RAIL ?? (variables.MODE === "live" ? "http" : "simulated");
}

/** What a process that only checks callbacks must not get. */
export function orderingVariables({ FIAT_RAIL_ORDER_SECRET, FIAT_RAIL_FORMER = [] }: Variables): string[] {
  return [
    ...(FIAT_RAIL_ORDER_SECRET === undefined ? [] : ["FIAT_RAIL_ORDER_SECRET"]),
    ...FIAT_RAIL_FORMER.filter((rail) => rail.order_secret !== undefined).map(
      (rail) => `FIAT_RAIL_FORMER with the order_secret of ${rail.name}`,
    ),
  ];
}

/** Reports everything that makes the rails unsafe for other people's money (contract, part 8). */
export function reportUnsafeRail(variables: Variables, report: Report): void {
  if (variables.FIAT_RAIL === undefined) report("FIAT_RAIL is missing: live mode needs http.");
  if (variables.FIAT_RAIL === "simulated") report("FIAT_RAIL is simulated: play money is for the sandbox; live mode needs http.");
  const { FIAT_RAIL_SECRET: secret, FIAT_RAIL_URL: url, FIAT_RAIL_FORMER = [] } = variables;
  if (url !== undefined && !url.startsWith("https://")) report("FIAT_RAIL_URL must be https.");
  if (secret !== undefined) reportUnsafeSecret("FIAT_RAIL_SECRET", secret, report);
  for (const former of FIAT_RAIL_FORMER) {
    if (former.url !== undefined && !former.url.startsWith("https://"))
      report(`FIAT_RAIL_FORMER: the url of ${former.name} must be https.`);
    reportUnsafeSecret(`FIAT_RAIL_FORMER: the secret of ${former.name}`, former.secret, report);
  }
}

function reportUnsafeSecret(what: string, secret: string, report: Report): void {
  const weakness = weaknessOfPassword(secret);
  if (secret.startsWith("rail_test_")) report(`${what} is a sandbox secret.`);
  else if (secret.length < SHORTEST_SECRET) report(`${what} is shorter than ${SHORTEST_SECRET} characters.`);
  else if (weakness) report(`${what} ${weakness}.`);
}
