/** Texts of the signature debugger, in the docs and in the console. The verdict's sentences come from the search. */
export const SIGNATURE = {
  components: "The five components",
  caption: "The five components of the signing string",
  component: "Component",
  asRead: "As it was read",
  bytes: "Bytes",
  empty: "empty",
  notUtf8: "Not UTF-8: shown with its broken bytes replaced.",
  ofBody: "SHA-256 of the body",
  ofAll: "SHA-256 of all five, joined by newlines",
  yours: "Your signing string",
  yoursNote: "What your code puts into the HMAC. The browser compares it here and sends it nowhere.",
  escapes: "Read \\n, \\r and \\t in it as the characters that they mean",
  same: "No difference: your signing string is the one that the server read.",
  differ: (changes: number) =>
    `${changes} ${changes === 1 ? "difference" : "differences"}. Underlined: missing in yours; struck through: only in yours.`,
  differences: "Differences",
  missing: "missing in yours: ",
  extra: "only in yours: ",
  more: (characters: number) => ` … and ${characters} more characters`,
};

export type SignatureWords = typeof SIGNATURE;
