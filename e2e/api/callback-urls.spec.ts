import { expect, test } from "@playwright/test";
import { expectFault, expectRefusal } from "../support/answers.ts";
import { partner } from "../support/client.ts";
import { createBody, find, freshReference, quote, SETTLEMENTS } from "../support/settlements.ts";

/** Contract, parts 4 and 9: where callbacks may go. Judged at creation and at confirmation alike. */

const WRONG_FORM = {
  "": "empty",
  "/callbacks": "relative",
  "example.com/callbacks": "without a scheme",
  "ftp://example.com/x": "another scheme",
  "file:///etc/passwd": "a file",
  "javascript:alert(1)": "a script",
  "https://user@example.com/x": "a user",
  "https://user:secret@example.com/x": "credentials",
  "https://example.com/x#part": "a fragment",
  "https://": "no host",
  "https://example.com/ä": "beyond ASCII",
  "https://example.com/a b": "a space",
  "https://example.com/a/../b": "dot segments",
  'https://example.com/?a="b"': "quotation marks",
  [`https://example.com/${"x".repeat(2_029)}`]: "2,049 characters",
};

const FORBIDDEN_HOST = [
  "http://10.0.0.1/x",
  "https://172.16.0.1/x",
  "https://192.168.1.1/x",
  "http://169.254.169.254/latest/meta-data",
  "http://100.64.0.1/x",
  "http://0.0.0.0/x",
  "http://127.0.0.2/x",
  "http://255.255.255.255/x",
  "http://224.0.0.1/x",
  "http://192.0.2.1/x",
  "http://198.18.0.1/x",
  "http://[::1]/x",
  "http://[::]/x",
  "http://[fe80::1]/x",
  "http://[fc00::1]/x",
  "http://[::ffff:10.0.0.1]/x",
  "http://[64:ff9b::a00:1]/x",
  "http://[2002:a00:1::]/x",
  // Other spellings of 10.0.0.1.
  "http://0xa000001/x",
  "http://167772161/x",
  "http://012.0.0.1/x",
  "http://10.1/x",
];

/** At creation, and at the confirmation of a fresh quote. */
async function bothPlaces(callback_url: unknown) {
  const { tx_id } = await quote();
  const created = await partner.post(SETTLEMENTS, createBody({ callback_url }));
  const confirmed = await partner.post(`${SETTLEMENTS}/${tx_id}/confirm`, { external_tx_id: freshReference(), callback_url });
  return { tx_id, answers: [created, confirmed] };
}

for (const [url, what] of Object.entries(WRONG_FORM)) {
  test(`a URL of the wrong form is validation_failed: ${what}`, async () => {
    const { tx_id, answers } = await bothPlaces(url);
    for (const answer of answers) expectFault(answer, "validation_failed", { pointer: "/callback_url" });
    expect((await find(tx_id)).status).toBe("quoted");
  });
}

test("a URL that is no text is validation_failed", async () => {
  for (const url of [5, null, ["https://example.com/x"]]) {
    expectFault(await partner.post(SETTLEMENTS, createBody({ callback_url: url })), "validation_failed", { pointer: "/callback_url" });
  }
});

for (const url of FORBIDDEN_HOST) {
  test(`${url} leads to a special address: callback_url_not_allowed`, async () => {
    const { tx_id, answers } = await bothPlaces(url);
    for (const answer of answers) expectRefusal(answer, 422, "callback_url_not_allowed");
    expect((await find(tx_id)).status).toBe("quoted");
  });
}

test("the sandbox lets callbacks go to localhost and 127.0.0.1, on any port, by http", async () => {
  for (const url of ["http://localhost:4999/x", "http://127.0.0.1:9/x?a=1", "http://LOCALHOST/x"]) {
    const answer = await partner.post(SETTLEMENTS, createBody({ callback_url: url }));
    expect(answer.status, `${url}: ${answer.text}`).toBe(201);
  }
});

test("a name that does not resolve just now is accepted", async () => {
  const url = "https://no-such-host.invalid/callbacks";
  expect((await quote({ callback_url: url })).callback_url).toBe(url);
});

test("2,048 characters are accepted", async () => {
  const url = `http://127.0.0.1:9/${"x".repeat(2_029)}`;
  expect(url).toHaveLength(2_048);
  expect((await quote({ callback_url: url })).callback_url).toBe(url);
});
