import { describe, expect, it } from "vitest";
import { ListFault, readAddressList } from "./address-list.ts";

const ONE = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
const TWO = "0xa0e1c89Ef1a489c9C7dE96311eD5Ce5D32c20E4B";
const BITCOIN = "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h";

function sdn(entries: readonly string[][], count: number = entries.length): string {
  const written = entries.map(
    (ids, uid) => `
  <sdnEntry>
    <uid>${uid}</uid>
    <lastName>SAMPLE &amp; SONS</lastName>
    <idList>${ids.join("")}</idList>
  </sdnEntry>`,
  );
  return `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://example.test/sdn">
  <publshInformation><Publish_Date>11/20/2026</Publish_Date><Record_Count>${count}</Record_Count></publshInformation>${written.join("")}
</sdnList>
`;
}
const id = (type: string, number: string) => `<id><uid>9</uid><idType>${type}</idType><idNumber>${number}</idNumber></id>`;
const address = (currency: string, number: string) => id(`Digital Currency Address - ${currency}`, number);
const WHOLE = sdn([[address("ETH", ONE), id("Passport", "0xNOTANADDRESS")], [], [address("USDT", TWO), address("XBT", BITCOIN)]]);
const PLAIN = `# published: 2026-11-20\n# addresses: 3\n${ONE}\n${BITCOIN} # bitcoin\n\n${TWO.toUpperCase()}\n`;

const faultOf = (text: string) => {
  try {
    readAddressList(text);
  } catch (error) {
    if (error instanceof ListFault) return error.message;
    throw error;
  }
  return null;
};

describe("a list of addresses", () => {
  it("is OFAC's SDN.XML: every digital currency address of it, whatever its currency", () => {
    const list = readAddressList(WHOLE);
    expect([...list.addresses]).toEqual([ONE.toLowerCase(), TWO.toLowerCase()]);
    expect(list).toMatchObject({ passedOver: 1, publishedOn: "11/20/2026" });
  });

  it("is plain text that says how many addresses it has", () => {
    const list = readAddressList(PLAIN);
    expect([...list.addresses]).toEqual([ONE.toLowerCase(), TWO.toLowerCase()]);
    expect(list).toMatchObject({ passedOver: 1, publishedOn: "2026-11-20" });
    expect([...readAddressList(`\uFEFF# addresses: 1\r\n${ONE}\r\n`).addresses]).toEqual([ONE.toLowerCase()]);
  });

  it("names wallets of Solana and Tron by their exact text, and is refused where a checksum of Tron is wrong", () => {
    const [solana, tron] = ["7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"];
    const list = readAddressList(`# addresses: 3\n${solana}\n${tron}\n${BITCOIN}\n`);
    expect([[...list.addresses], list.passedOver]).toEqual([[solana, tron], 1]);
    expect(faultOf(`# addresses: 1\n${tron.replace("6t", "6u")}\n`)).toBe(`has a damaged address: ${tron.replace("6t", "6u")}`);
  });

  it("is refused wherever it is cut off, so that half of it never calls anybody clear", () => {
    for (const whole of [WHOLE.trimEnd(), PLAIN.trimEnd()])
      for (let length = 0; length < whole.length; length += 1) expect(faultOf(whole.slice(0, length)), `cut at ${length}`).not.toBeNull();
  });

  it.each([
    ["", "is empty"],
    ["\n \n", "is empty"],
    ["# addresses: 0\n", "names no address that a payment could go to"],
    [`# addresses: 1\n${BITCOIN}\n`, "names no address that a payment could go to"],
    [`${ONE}\n`, 'does not say how many addresses it has, in a line of the form "# addresses: 123"'],
    [`# addresses: 2\n${ONE}\n`, "is not whole: it holds 1 addresses and says 2"],
    [`# addresses: 1\n${ONE.slice(0, 41)}\n`, `has a damaged address: ${ONE.slice(0, 41)}`],
    [`# addresses: 1\ntwo words\n`, "has no address in line 2"],
    ["<html><body>403</body></html>", "is no SDN.XML: it has no sdnList with a Record_Count"],
    [sdn([[address("ETH", ONE)]], 2), "is not whole: it holds 1 entries and says 2"],
    [sdn([[address("ETH", "")]]), "has a digital currency address without its idNumber"],
    [sdn([[id("Passport", "1")]]), "names no address that a payment could go to"],
  ])("is not %j", (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });
});
