import type { BrokerType } from "#domain/event-destination.ts";
import { MAX_URL_LENGTH } from "#server/adapters/callbacks/url-form.ts";

/** A broker's address, as its URL says it. `place`: a virtual host (AMQP). */
export type BrokerAddress = {
  type: BrokerType;
  isEncrypted: boolean;
  host: string;
  port: number;
  username: string;
  password: string;
  place: string;
  settings: Readonly<Record<string, string>>;
};

const SCHEMES: Readonly<Record<BrokerType, { encrypted: string; plain: string; ports: readonly [encrypted: number, plain: number] }>> = {
  amqp: { encrypted: "amqps:", plain: "amqp:", ports: [5671, 5672] },
  nats: { encrypted: "tls:", plain: "nats:", ports: [4222, 4222] },
};
/** The ports of brokers, which are no callbacks' ports. */
export const BROKER_PORTS: readonly number[] = [5671, 4222];

/** What a URL may name beyond the broker: the exchange of AMQP, and what subjects of NATS begin with. */
const SETTINGS: Readonly<Record<BrokerType, readonly string[]>> = { amqp: ["exchange"], nats: ["subject"] };
const NAME = /^[A-Za-z0-9_.-]{1,127}$/;

/** Reads a broker's URL: with encryption, or also without where that is allowed. */
export function readBrokerUrl(type: BrokerType, text: string, allowPlain: boolean): BrokerAddress | { reason: string } {
  const { encrypted, plain, ports } = SCHEMES[type];
  if (text.length > MAX_URL_LENGTH) return { reason: `The URL must have at most ${MAX_URL_LENGTH} characters.` };
  if (!/^[!-~]*$/.test(text) || /["<>\\#]/.test(text))
    return { reason: "The URL must consist of ASCII without spaces, quotation marks, < , > , # and backslashes." };
  const schemes = allowPlain ? [encrypted, plain] : [encrypted];
  const url = URL.parse(text);
  const words = schemes.map((scheme) => `${scheme}//`).join(" or ");
  if (url === null || url.hostname === "" || url.port === "0" || !schemes.includes(url.protocol))
    return { reason: `The URL must begin with ${words}.` };
  const isEncrypted = url.protocol === encrypted;
  const settings = Object.fromEntries(url.searchParams);
  const wrong = Object.entries(settings).find(([name, value]) => !SETTINGS[type].includes(name) || !NAME.test(value));
  if (wrong !== undefined || url.searchParams.size !== Object.keys(settings).length) {
    return { reason: `The URL's query may name ${SETTINGS[type].join(", ")} once, in letters, digits, dots, dashes and underscores.` };
  }
  const place = decoded(url.pathname.slice(1));
  const [username, password] = [decoded(url.username), decoded(url.password)];
  if (place === null || username === null || password === null || place.includes("/")) return { reason: "The URL cannot be read." };
  if (type === "nats" && place !== "") return { reason: "The URL must not have a path." };
  return {
    type,
    isEncrypted,
    host: url.hostname.toLowerCase(),
    port: url.port === "" ? (ports[isEncrypted ? 0 : 1] ?? 0) : Number(url.port),
    username,
    password,
    place,
    settings,
  };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
