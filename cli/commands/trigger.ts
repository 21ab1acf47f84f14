import { randomUUID } from "node:crypto";
import { milliseconds, only } from "#cli/arguments.ts";
import { bringAbout, type World } from "#cli/bring-about.ts";
import { accountOf, bringOrderAbout, expectedEnd, FIAT_KINDS, type FiatKind } from "#cli/bring-about-fiat.ts";
import { clientOf } from "#cli/client.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import { orderView } from "#cli/order-view.ts";
import type { Out } from "#cli/out.ts";
import { findOutcome, OUTCOME_NAMES, OUTCOMES } from "#cli/outcomes.ts";
import { placesOf } from "#cli/sandbox-places.ts";
import { settlementView } from "#cli/settlement-view.ts";
import { SIMULATED_ACCOUNTS } from "#domain/simulated-order.ts";
import { SIMULATED_RECEIVERS } from "#domain/simulated-receiver.ts";
import { type Pair, Refused } from "#sdk/typescript/src/index.ts";

const width = Math.max(...[...OUTCOME_NAMES, ...Object.keys(SIMULATED_RECEIVERS)].map((name) => name.length));
const FIAT = [
  ["withdrawal", "fiat out of the partner's own Safe; the end of --account chooses the outcome"],
  ["topup", "fiat in for a new member; the end of --account chooses the outcome"],
] as const;
const NAMES = [...OUTCOME_NAMES, ...FIAT_KINDS];
const linesOf = (entries: readonly (readonly [string, string])[]) =>
  entries.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join("\n");

export const trigger = defineCommand({
  name: "trigger",
  summary: "Produce any outcome in the sandbox: quote, confirm and wait for it",
  usage: "OUTCOME | withdrawal | topup",
  options: {
    from: { type: "string", value: "CURRENCY", default: "KES", about: "Source currency (KES)" },
    to: { type: "string", value: "CURRENCY", default: "USDT", about: "Destination currency (USDT)" },
    receiver: { type: "string", value: "NAME", about: "Receiver of the sandbox that gets the callbacks (well)" },
    "callback-url": { type: "string", value: "URL", about: 'Your own receiver instead, such as the URL from "settle listen"' },
    account: {
      type: "string",
      value: "ENDING",
      default: "000001",
      about: "For withdrawal and topup: the last six digits, which choose the outcome",
    },
    timeout: { type: "string", value: "SECONDS", default: "180", about: "Wait at most this long (180)" },
  },
  notes: [
    `Outcomes:\n${linesOf([...Object.entries(OUTCOMES).map(([name, { about }]) => [name, about] as const), ...FIAT])}`,
    `Receivers:\n${linesOf(Object.entries(SIMULATED_RECEIVERS))}`,
    `Account endings (any other is paid after a moment; "settle clock --advance" shortens long waits):\n${linesOf(Object.entries(SIMULATED_ACCOUNTS))}`,
  ],
  async run({ values, positionals, out, profile, signal }) {
    const [name = ""] = only(positionals, "OUTCOME");
    const kind = FIAT_KINDS.find((each) => each === name) ?? null;
    const outcome = findOutcome(name);
    if (outcome === null && kind === null) throw new Trouble(`There is no outcome "${name}". Outcomes: ${NAMES.join(", ")}.`);
    const timeoutMs = milliseconds(values.timeout);
    const who = profile();
    const places = await placesOf(who, signal);
    const url = callbackUrl(places.receivers_url, values.receiver, values["callback-url"]);
    const client = clientOf(who, outcome?.refusal === undefined ? {} : { attempts: 1 });
    const pair = (await client.prices.pairs({ signal })).find(
      (each) => each.source_currency === values.from && each.destination_currency === values.to,
    );
    if (pair === undefined) throw new Trouble(`${values.from} to ${values.to} cannot be quoted. "settle pairs" lists the pairs that can.`);
    const world = { client, operatorKey: places.operator_key, baseUrl: who.base_url, note: out.note, timeoutMs, signal };
    const reference = `trigger-${randomUUID()}`;
    if (outcome === null) return await printFiat(out, world, kind ?? "withdrawal", { ...values, pair, url, reference });
    const end = await bringAbout(world, outcome, { pair, wallet: outcome.wallet(places), url, reference });
    if (end instanceof Refused) {
      out.print(
        { outcome: name, refused: { status: end.status, code: end.code, detail: end.detail } },
        () => `As requested: ${end.message}`,
      );
      return EXIT.done;
    }
    out.print(end, (paint) => settlementView(end, paint));
    return outcome.isThere(end) ? EXIT.done : EXIT.refused;
  },
});

type FiatWish = { account: string; pair: Pair; url: string; reference: string };

/** 0 if the order ended as its account's suffix demands. */
async function printFiat(out: Out, world: World, kind: FiatKind, { account, pair, url, reference }: FiatWish): Promise<number> {
  if (!/^\d{6}$/.test(account)) throw new Trouble(`--account must be six digits, not "${account}".`);
  const { source_currency: currency, destination_currency: token, chain, minimum_source_amount: least } = pair;
  const wish = { currency, token, chain, account: accountOf(account), reference, callback_url: url, least };
  const end = await bringOrderAbout(world, kind, wish);
  out.print(end, (paint) => orderView(end, paint));
  return end.status === expectedEnd(wish.account) ? EXIT.done : EXIT.refused;
}

function callbackUrl(receivers: string, name: string | undefined, url: string | undefined): string {
  if (name !== undefined && url !== undefined) throw new Trouble("Use either --receiver or --callback-url.");
  if (name !== undefined && !Object.hasOwn(SIMULATED_RECEIVERS, name))
    throw new Trouble(`There is no receiver "${name}". Receivers: ${Object.keys(SIMULATED_RECEIVERS).join(", ")}.`);
  return url ?? `${receivers}/${name ?? "well"}`;
}
