import { type ClientOptions, certifyClient } from "./client.ts";
import { certifyReceiver, type ReceiverOptions } from "./receiver.ts";
import { type Sheet, sheetOf } from "./sheet.ts";

export type CertifyOptions = { receiver?: ReceiverOptions; client?: ClientOptions };

/** Drives a partner's receiver and client through a bad day each, and tells what held. */
export async function certify({ receiver, client }: CertifyOptions): Promise<Sheet> {
  return sheetOf([
    ...(receiver === undefined ? [] : await certifyReceiver(receiver)),
    ...(client === undefined ? [] : await certifyClient(client)),
  ]);
}
