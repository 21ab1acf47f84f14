import type { z } from "zod";
import { hexOfTron } from "#domain/tron-address.ts";
import type { Constant } from "./node-answers.ts";

/** The form in which Tron's nodes take addresses: 21 bytes in hexadecimal. */
export function tronHex(address: string): string {
  return `41${hexOfTron(address).slice(2)}`;
}

/** Whether a call that was only played was carried out and reverted. Nodes also spell success with one letter less. */
export function isReverted({ transaction }: z.infer<typeof Constant>): boolean {
  return transaction?.ret.some(({ ret }) => ret !== undefined && ret !== "SUCCESS" && ret !== "SUCESS") ?? false;
}
