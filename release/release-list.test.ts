import { expect, test } from "vitest";
import { expectListed, withRelease } from "./release-list.ts";

const [one, other] = [Buffer.from("a  one.deb\n"), Buffer.from("b  one.deb\n")];

test("the list of releases only grows: a version has one set of files, and a second set of it is refused", () => {
  const list = withRelease(withRelease("", "1.1.0", one), "1.2.0", other);
  expect(list).toMatch(/^1\.1\.0 [0-9a-f]{64}\n1\.2\.0 [0-9a-f]{64}\n$/);
  expect(withRelease(list, "1.2.0", other)).toBe(list);
  expect(() => withRelease(list, "1.2.0", one)).toThrow("1.2.0 is listed with other files");
  expectListed(list, "1.1.0", one);
  expect(() => expectListed(list, "1.1.0", other)).toThrow("1.1.0 is listed with other files");
  expect(() => expectListed(list, "1.3.0", one)).toThrow("releases.txt does not list 1.3.0");
  expect(() => expectListed(list, "1.1", one)).toThrow("releases.txt does not list 1.1");
});
