import library from "pkcs11js";

/** Makes keys inside a token, as its owner would: `library token pin curve label…`. Prints each one's point. */

const CURVES: Record<string, string> = { secp256k1: "06052b8104000a", prime256v1: "06082a8648ce3d030107" };
const [path = "", label = "", pin = "", curve = "", ...keys] = process.argv.slice(2);

const token = new library.PKCS11();
token.load(path);
token.C_Initialize();
const slot = token.C_GetSlotList(true).find((one) => token.C_GetTokenInfo(one).label.trim() === label);
if (slot === undefined) throw new Error(`there is no token ${label}`);
const session = token.C_OpenSession(slot, library.CKF_SERIAL_SESSION | library.CKF_RW_SESSION);
token.C_Login(session, library.CKU_USER, pin);
for (const key of keys) {
  const params = { type: library.CKA_EC_PARAMS, value: Buffer.from(CURVES[curve] ?? "", "hex") };
  const own = [
    { type: library.CKA_TOKEN, value: true },
    { type: library.CKA_LABEL, value: key },
  ];
  const made = token.C_GenerateKeyPair(
    session,
    { mechanism: library.CKM_EC_KEY_PAIR_GEN },
    [...own, { type: library.CKA_VERIFY, value: true }, params],
    [...own, ...[library.CKA_SIGN, library.CKA_PRIVATE, library.CKA_SENSITIVE].map((type) => ({ type, value: true }))],
  );
  const [point] = token.C_GetAttributeValue(session, made.publicKey, [{ type: library.CKA_EC_POINT }]);
  if (!Buffer.isBuffer(point?.value)) throw new Error("the token does not give its point");
  process.stdout.write(`${point.value.subarray(2).toString("hex")}\n`);
}
token.C_Finalize();
