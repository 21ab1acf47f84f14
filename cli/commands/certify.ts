import { only } from "#cli/arguments.ts";
import { certify as certifyBoth } from "#cli/certify/certify.ts";
import { writeSheet } from "#cli/certify/sheet.ts";
import { defineCommand } from "#cli/command.ts";
import { EXIT, Trouble } from "#cli/exit.ts";
import type { Profile } from "#cli/profile.ts";
import { placesOf } from "#cli/sandbox-places.ts";

export const certify = defineCommand({
  name: "certify",
  summary: "Test your receiver and your client against faults: duplicates, forgeries, lost answers, 409, 410, 429, 503",
  usage: "[--receiver URL] [--event-receiver URL] [--client COMMAND] [--batch-client COMMAND] [--fiat-client COMMAND]",
  options: {
    receiver: { type: "string", value: "URL", about: "Where your callbacks go; signed with the profile's secrets" },
    "event-receiver": { type: "string", value: "URL", about: "Where a destination sends events; its secret is in EVENTS_SECRET" },
    "fiat-client": {
      type: "string",
      value: "COMMAND",
      about: "The same for a command that makes the withdrawal or top-up in its environment",
    },
    "batch-client": { type: "string", value: "COMMAND", about: "The same for a command that pays the batch in its environment" },
    client: {
      type: "string",
      value: "COMMAND",
      about: "A command that settles the order in its environment, with the profile's sandbox behind a proxy that interferes",
    },
  },
  notes: [
    "The client gets SETTLEMENT_URL, API_KEY, API_SECRET, CALLBACK_SECRET, ORDER (the body of a quote), ORDER_ID and CALLBACK_URL.",
    "A batch client gets BATCH (the items, as JSON) and BATCH_ID (its reference for them) in place of ORDER and ORDER_ID.",
    "A fiat client gets KIND (withdrawal or topup), ORDER (its body without external_id) and ORDER_ID.",
    "It must exit with 0 once everything is executed, and with another code if it cannot be.",
  ],
  async run({ values, positionals, out, profile, env, signal }) {
    only(positionals);
    const { receiver, client, "batch-client": batchClient, "event-receiver": eventReceiver, "fiat-client": fiatClient } = values;
    if ([receiver, client, batchClient, eventReceiver, fiatClient].every((part) => part === undefined))
      throw new Trouble("Name a --receiver, an --event-receiver, a --client, a --batch-client or a --fiat-client.");
    const clientOf = async (command: string) => ({ command, place: await placeOf(profile(), signal), env, signal });
    const sheet = await certifyBoth({
      ...(receiver === undefined ? {} : { receiver: { ...receiverOf(receiver, profile()), signal } }),
      ...(eventReceiver === undefined
        ? {}
        : { eventReceiver: { ...receiverOf(eventReceiver, { ...profile(), callback_secret: eventsSecret(env) }), signal } }),
      ...(fiatClient === undefined ? {} : { fiatClient: await clientOf(fiatClient) }),
      ...(client === undefined ? {} : { client: await clientOf(client) }),
      ...(batchClient === undefined ? {} : { batchClient: await clientOf(batchClient) }),
    });
    signal.throwIfAborted();
    out.print(sheet, () => writeSheet(sheet).trimEnd());
    return sheet.passed ? EXIT.done : EXIT.found;
  },
});

function eventsSecret({ EVENTS_SECRET }: Readonly<Record<string, string | undefined>>): string {
  if (!EVENTS_SECRET) throw new Trouble("Set EVENTS_SECRET to the secret of the destination. Its creation showed it once.");
  return EVENTS_SECRET;
}

function receiverOf(url: string, profile: Profile) {
  if (!/^https?:\/\/\S+$/.test(url)) throw new Trouble(`${url} is not the URL of a receiver.`);
  return { url, brand: profile.brand, apiSecret: profile.api_secret, callbackSecret: callbackSecretOf(profile) };
}

/** @throws Trouble where money could move: clients confirm what they quote. */
async function placeOf(profile: Profile, signal: AbortSignal) {
  const { base_url: baseUrl, brand, api_key: apiKey, api_secret: apiSecret } = profile;
  const { receivers_url } = await placesOf(profile, signal);
  return { baseUrl, brand, apiKey, apiSecret, callbackSecret: callbackSecretOf(profile), callbackUrl: `${receivers_url}/well` };
}

function callbackSecretOf({ callback_secret }: Profile): string {
  if (callback_secret === null) throw new Trouble("The profile has no callback secret. Log in again with one.");
  return callback_secret;
}
