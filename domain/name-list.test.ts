import { describe, expect, it } from "vitest";
import { isNamed, readNameList } from "./name-list.ts";

const entry = (type: string, names: string) => `<sdnEntry><uid>1</uid>${names}<sdnType>${type}</sdnType></sdnEntry>`;
const person = entry(
  "Individual",
  `<firstName>José María</firstName><lastName>O&apos;NEILL</lastName><akaList>
    <aka><category>strong</category><lastName>EL CAPITAN</lastName></aka><aka><category>weak</category><lastName>Pepe</lastName></aka></akaList>`,
);
const sdn = (...entries: string[]) => `<?xml version="1.0"?><sdnList><publshInformation><Publish_Date>11/20/2026</Publish_Date>
  <Record_Count>${entries.length}</Record_Count></publshInformation>${entries.join("")}</sdnList>`;

describe("a list of names", () => {
  it("names a payee by all words of one of its names, in any order, without accents and case", () => {
    const list = readNameList(
      sdn(person, entry("Entity", "<lastName>ACME Shipping Ltd.</lastName>"), entry("Vessel", "<lastName>OCEAN QUEEN</lastName>")),
    );
    const named = ["Maria José O'Neill", "mr. JOSE MARIA oneill o neill", "el capitán", "Acme Shipping (Ltd)", "ACME Kenya Shipping Ltd"];
    expect(named.map((payee) => isNamed(list, payee))).toEqual([true, true, true, true, true]);
    const others = ["Jose Neill", "Pepe", "Ocean Queen", "Acme Ltd", "", "***"];
    expect(others.map((payee) => isNamed(list, payee))).toEqual(others.map(() => false));
    expect(list.publishedOn).toBe("11/20/2026");
  });

  it("of one word is the whole name of a payee, or nothing", () => {
    const list = readNameList("# names: 2\n# published: 2026-11-20\nWanjiru\nMr. Big # a remark\n");
    expect(["WANJIRU", "Wanjiru Kamau", "big mr", "Big"].map((payee) => isNamed(list, payee))).toEqual([true, false, true, false]);
  });

  it("is taken whole or not at all", () => {
    const faults = [
      "",
      "Wanjiru",
      "# names: 2\nWanjiru",
      "# names: 1\n***",
      "# names: 0\n",
      sdn(person).replace("</sdnList>", ""),
      "<html></html>",
    ];
    for (const text of faults) expect(() => readNameList(text)).toThrow();
    expect(() => readNameList("# names: 2\nWanjiru")).toThrow("is not whole: it holds 1 names and says 2");
  });
});
