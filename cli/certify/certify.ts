import { type ClientOptions, certifyClient } from "./client.ts";
import { certifyReceiver, type ReceiverOptions } from "./receiver.ts";
import { type Sheet, sheetOf } from "./sheet.ts";

export type CertifyOptions = {
  receiver?: ReceiverOptions;
  eventReceiver?: ReceiverOptions;
  client?: ClientOptions;
  batchClient?: ClientOptions;
  fiatClient?: ClientOptions;
};

/** Certifies a partner's receivers and clients under faults, and reports the results. */
export async function certify({ receiver, eventReceiver, client, batchClient, fiatClient }: CertifyOptions): Promise<Sheet> {
  return sheetOf([
    ...(receiver === undefined ? [] : await certifyReceiver(receiver)),
    ...(eventReceiver === undefined ? [] : await certifyReceiver({ ...eventReceiver, gets: "events" })),
    ...(client === undefined ? [] : await certifyClient(client)),
    ...(batchClient === undefined ? [] : await certifyClient({ ...batchClient, gets: "batch" })),
    ...(fiatClient === undefined ? [] : await certifyClient({ ...fiatClient, gets: "fiat" })),
  ]);
}
