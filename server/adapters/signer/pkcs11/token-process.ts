import type { Handle, PKCS11 } from "pkcs11js";
import { type Answer, Opening, Question } from "./token-words.ts";

/**
 * The process that talks to one token. Only this process loads the maker's library, which may block on a network or crash without affecting
 * the worker's leases and other wallets. It lives as long as the worker that started it, and exits when the token is lost: the next one
 * starts afresh.
 */

/** OBJECT IDENTIFIER 1.3.132.0.10. */
const SECP256K1 = "06052b8104000a";

class TokenTrouble extends Error {
  readonly kind: "lost" | "refused" | "pin";
  constructor(kind: "lost" | "refused" | "pin", message: string) {
    super(message);
    this.kind = kind;
  }
}

type Library = typeof import("pkcs11js");
type Session = { library: Library; token: PKCS11; handle: Handle };

async function loadLibrary(): Promise<Library> {
  try {
    const { default: library } = await import("pkcs11js");
    return library;
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    throw new TokenTrouble("refused", `pkcs11js is not built on this machine: npm run build-pkcs11 (${why})`);
  }
}

async function open({ library: path, token: label, pin }: Opening): Promise<Session> {
  const library = await loadLibrary();
  const token = new library.PKCS11();
  try {
    token.load(path);
    token.C_Initialize();
    const slots = token.C_GetSlotList(true).filter((slot) => token.C_GetTokenInfo(slot).label.trim() === label);
    const [slot] = slots;
    if (slot === undefined) throw new TokenTrouble("lost", `there is no token ${label}`);
    if (slots.length > 1) throw new TokenTrouble("refused", `there are ${slots.length} tokens named ${label}`);
    const handle = token.C_OpenSession(slot, library.CKF_SERIAL_SESSION);
    token.C_Login(handle, library.CKU_USER, pin);
    return { library, token, handle };
  } catch (error) {
    throw toTrouble(library, error);
  }
}

/** Of everything that a token says, only what is certain to stay so is a refusal. */
function toTrouble(library: Library, error: unknown): TokenTrouble {
  if (error instanceof TokenTrouble) return error;
  const code = error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : null;
  const message = error instanceof Error ? error.message : String(error);
  const pin = [
    library.CKR_PIN_INCORRECT,
    library.CKR_PIN_INVALID,
    library.CKR_PIN_LEN_RANGE,
    library.CKR_PIN_LOCKED,
    library.CKR_PIN_EXPIRED,
  ];
  if (code !== null && pin.includes(code)) return new TokenTrouble("pin", `the PIN is not accepted (${message})`);
  const refusals = [library.CKR_MECHANISM_INVALID, library.CKR_KEY_FUNCTION_NOT_PERMITTED, library.CKR_KEY_TYPE_INCONSISTENT];
  return new TokenTrouble(code !== null && refusals.includes(code) ? "refused" : "lost", message);
}

function findOne({ library, token, handle }: Session, kind: number, key: string): Handle {
  token.C_FindObjectsInit(handle, [
    { type: library.CKA_CLASS, value: kind },
    { type: library.CKA_LABEL, value: key },
  ]);
  const found = token.C_FindObjects(handle, 2);
  token.C_FindObjectsFinal(handle);
  const what = kind === library.CKO_PRIVATE_KEY ? "private key" : "public key";
  if (found.length > 1) throw new TokenTrouble("refused", `the token has more than one ${what} labelled ${key}`);
  // A token that was unplugged has no keys either.
  if (found[0] === undefined) throw new TokenTrouble("lost", `the token has no ${what} labelled ${key}`);
  return found[0];
}

function readPoint(session: Session, key: string): Buffer {
  const { library, token, handle } = session;
  const attributes = token.C_GetAttributeValue(handle, findOne(session, library.CKO_PUBLIC_KEY, key), [
    { type: library.CKA_EC_PARAMS },
    { type: library.CKA_EC_POINT },
  ]);
  const [curve, point] = attributes.map(({ value }) => (Buffer.isBuffer(value) ? value : Buffer.alloc(0)));
  if (curve?.toString("hex") !== SECP256K1) throw new TokenTrouble("refused", `the key ${key} is not on the curve secp256k1`);
  // By the standard it is wrapped in an OCTET STRING; some tokens omit that.
  const bare = point?.length === 67 && point[0] === 4 && point[1] === 65 ? point.subarray(2) : point;
  if (bare?.length !== 65 || bare[0] !== 4) throw new TokenTrouble("refused", `the point of the key ${key} is in a form that is not known`);
  return bare;
}

function sign(session: Session, key: string, digest: string): Buffer {
  const { library, token, handle } = session;
  token.C_SignInit(handle, { mechanism: library.CKM_ECDSA }, findOne(session, library.CKO_PRIVATE_KEY, key));
  return token.C_Sign(handle, Buffer.from(digest, "hex"), Buffer.alloc(128));
}

function reply(answer: Answer, then: () => void = () => {}): void {
  process.send?.(answer, () => then());
}

function describeTrouble(id: number | null, { kind, message }: TokenTrouble): void {
  // A session that is lost does not come back; a new process begins with what is there then.
  reply({ id, hex: null, trouble: { kind, message } }, kind === "refused" && id !== null ? undefined : () => process.exit(0));
}

function answer(session: Session, word: unknown): void {
  const { id, key, digest } = Question.parse(word);
  try {
    const bytes = digest === null ? readPoint(session, key) : sign(session, key, digest);
    reply({ id, hex: bytes.toString("hex"), trouble: null });
  } catch (error) {
    describeTrouble(id, toTrouble(session.library, error));
  }
}

process.once("disconnect", () => process.exit(0));
// Who ends the worker with Ctrl-C lets it end in order, which needs signatures no more but may still be waiting for one.
process.on("SIGINT", () => {});
process.once("message", async (word) => {
  try {
    const session = await open(Opening.parse(word));
    process.on("message", (question) => answer(session, question));
    reply({ id: null, hex: null, trouble: null });
  } catch (error) {
    describeTrouble(null, error instanceof TokenTrouble ? error : new TokenTrouble("refused", String(error)));
  }
});
