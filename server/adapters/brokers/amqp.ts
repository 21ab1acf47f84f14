import { connect } from "amqplib";
import type { BrokerLink, BrokerMessage } from "#domain/event-destination.ts";
import type { BrokerAddress } from "./broker-url.ts";
import { CONNECT_MS, Confirmations } from "./confirmations.ts";

/** Messages go here where the URL names no exchange. It is there in every virtual host. */
const DEFAULT_EXCHANGE = "amq.topic";
const DEFAULT_VHOST = "/";

/** A channel with publisher confirms. A message that no queue takes is not delivered: the broker would drop it. */
export async function openAmqp(at: BrokerAddress, address: string, ca: string | undefined): Promise<BrokerLink> {
  const { isEncrypted, port, username, password, place, host } = at;
  const exchange = at.settings.exchange ?? DEFAULT_EXCHANGE;
  const connection = await connect(
    { protocol: isEncrypted ? "amqps" : "amqp", hostname: address, port, username, password, vhost: place || DEFAULT_VHOST, heartbeat: 5 },
    { timeout: CONNECT_MS, noDelay: true, ...(isEncrypted && { servername: servernameOf(host), ...(ca !== undefined && { ca }) }) },
  );
  const waiting = new Confirmations();
  connection.on("error", () => {});
  connection.on("close", () => waiting.end("The broker closed the connection."));
  const channel = await connection.createConfirmChannel();
  // It is said before the confirmation.
  channel.on("return", ({ properties }) => waiting.fail(String(properties.messageId), "The broker has no queue for the event."));
  channel.on("error", (error) => waiting.end(`The broker closed the channel: ${error.message.slice(0, 200)}.`));
  channel.on("close", () => waiting.end("The broker closed the channel."));
  const publish = ({ id, type, body, headers }: BrokerMessage) => {
    const settled = waiting.begin(id);
    const options = { messageId: id, type, contentType: "application/json", persistent: true, mandatory: true, headers };
    channel.publish(exchange, type, Buffer.from(body), options, (refused) => {
      waiting.settle(id, refused === null ? null : "The broker refused the event.");
    });
    return settled;
  };
  return { send: publish, close: () => connection.close().catch(() => {}) };
}

/** The name in the certificate: the connection goes to an address. */
export function servernameOf(host: string): string {
  return /^\[|^[\d.]+$/.test(host) ? "" : host;
}
