import { addressKey } from "./address-key.ts";
import { isDamagedAddress, isListedAddress } from "./wallet-address.ts";

/** A list of addresses that must not be paid, from a file: OFAC's own SDN.XML, or plain text. */
export type AddressList = {
  /** As {@link addressKey} has them; those of EVM chains are the same key's on all of them. */
  addresses: ReadonlySet<string>;
  /** Of namespaces that no payment goes to. */
  passedOver: number;
  /** Of when the file says that it is. */
  publishedOn: string | null;
};

/** What is wrong with a file, as the end of a sentence that begins with its name. */
export class ListFault extends Error {
  override readonly name = "ListFault";
}

/** Longer than any address OFAC may publish. */
const LONGEST = 256;

/** @throws ListFault for what is empty, cut off or no such list: half a list would call clear whom the other half names. */
export function readAddressList(text: string): AddressList {
  const list = /^\s*</.test(text.replace(/^\uFEFF/, "")) ? readSdnXml(text) : readPlainList(text);
  if (list.addresses.size === 0) throw new ListFault("names no address that a payment could go to");
  return list;
}

const IDENTITY = /<id>(.*?)<\/id>/gs;

/** OFAC's SDN.XML. OFAC's CSV truncates remarks at 1,000 characters, and with them addresses, so it is not accepted. */
function readSdnXml(text: string): AddressList {
  const { publishedOn } = readWholeSdn(text);
  const named = [...text.matchAll(IDENTITY)].flatMap(([, identity = ""]) => {
    if (!/<idType>\s*Digital Currency Address\b/.test(identity)) return [];
    const address = /<idNumber>\s*([^<]*?)\s*<\/idNumber>/.exec(identity)?.[1] ?? "";
    if (address === "" || address.length > LONGEST) throw new ListFault("has a digital currency address without its idNumber");
    return [address];
  });
  return sort(named, publishedOn);
}

/** @throws ListFault for what is no whole SDN.XML */
export function readWholeSdn(text: string): { publishedOn: string | null } {
  const count = /<Record_Count>\s*(\d+)\s*<\/Record_Count>/.exec(text)?.[1];
  if (!/<sdnList[\s>]/.test(text) || count === undefined) throw new ListFault("is no SDN.XML: it has no sdnList with a Record_Count");
  if (!/<\/sdnList>\s*$/.test(text)) throw new ListFault("is cut off: it does not end with </sdnList>");
  const entries = text.match(/<sdnEntry[\s>]/g)?.length ?? 0;
  if (entries !== Number(count)) throw new ListFault(`is not whole: it holds ${entries} entries and says ${count}`);
  return { publishedOn: /<Publish_Date>\s*([^<]{1,40}?)\s*<\/Publish_Date>/.exec(text)?.[1] ?? null };
}

/** The entries of an SDN.XML, each as its text. */
export function identitiesOf(text: string): string[] {
  return text.split(/<sdnEntry[\s>]/).slice(1);
}

/**
 * One address per line; `#` begins a comment. Because a truncated file looks complete, the file must state its number of addresses: `#
 * addresses: 123`. `# published: 2026-11-20` is shown with its findings.
 */
function readPlainList(text: string): AddressList {
  const { lines, publishedOn } = readCountedLines(text, "addresses");
  const named = lines.map(({ line, number }) => {
    if (!/^[!-~]{10,256}$/.test(line)) throw new ListFault(`has no address in line ${number}`);
    return line;
  });
  return sort(named, publishedOn);
}

type Counted = { lines: { line: string; number: number }[]; publishedOn: string | null };

/** The lines of a plain list without comments. @throws ListFault unless there are as many as it says */
export function readCountedLines(text: string, what: "addresses" | "names"): Counted {
  const all = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const remarks = all.filter((line) => line.startsWith("#"));
  const count = remarks.flatMap((line) => new RegExp(`^#\\s*${what}:\\s*(\\d{1,9})\\s*$`, "i").exec(line)?.[1] ?? [])[0];
  if (all.every((line) => line.trim() === "")) throw new ListFault("is empty");
  if (count === undefined) throw new ListFault(`does not say how many ${what} it has, in a line of the form "# ${what}: 123"`);
  const lines = all.flatMap((line, index) => {
    const kept = line.replace(/(^|\s)#.*$/, "").trim();
    return kept === "" ? [] : [{ line: kept, number: index + 1 }];
  });
  if (lines.length !== Number(count)) throw new ListFault(`is not whole: it holds ${lines.length} ${what} and says ${count}`);
  return { lines, publishedOn: remarks.flatMap((line) => /^#\s*published:\s*(\S.{0,39}?)\s*$/i.exec(line)?.[1] ?? [])[0] ?? null };
}

function sort(named: readonly string[], publishedOn: string | null): AddressList {
  const addresses = named.map((address) => address.replace(/^0X/, "0x"));
  for (const address of addresses) if (isDamagedAddress(address)) throw new ListFault(`has a damaged address: ${address}`);
  const paid = addresses.filter(isListedAddress);
  return { addresses: new Set(paid.map(addressKey)), passedOver: named.length - paid.length, publishedOn };
}
