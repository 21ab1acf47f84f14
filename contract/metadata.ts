import { z } from "zod";
import { METADATA_NAME_LENGTH, METADATA_TEXT_LENGTH, type Metadata, MOST_METADATA } from "#domain/metadata.ts";
import { plainText } from "./primitives.ts";

const ABOUT = "Your own notes: texts by name, such as an invoice number. The service keeps and returns them, and uses them for nothing";

/** In requests. */
export const metadata = z
  .record(plainText(1, METADATA_NAME_LENGTH), plainText(0, METADATA_TEXT_LENGTH))
  .refine((notes) => Object.keys(notes).length <= MOST_METADATA, { error: `must have at most ${MOST_METADATA} names` })
  .meta({ maxProperties: MOST_METADATA })
  .describe(`${ABOUT}. At most ${MOST_METADATA} names of ${METADATA_NAME_LENGTH} characters, with ${METADATA_TEXT_LENGTH} characters each`);

/** In answers. */
export const metadataShown = z.record(z.string(), z.string()).describe(`${ABOUT}. Empty if you gave none`);

export function renderMetadata(notes: Metadata | null): Record<string, string> {
  return { ...notes };
}

/** The unit of an exchange rate, in answers. */
export const rateUnit = z.string().describe("The unit of exchange_rate, such as USDT per KES. For fiat, it is the major unit");

export function renderRateUnit(of: string, per: string): string {
  return `${of} per ${per}`;
}
