/** The field's prime, and the curve's constant (RFC 8032). */
const P = 2n ** 255n - 19n;
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const SIGN_BIT = 1n << 255n;

/**
 * Whether these 32 bytes can be somebody's Ed25519 public key: a point on the curve, in its one encoding, and not one of the eight points of
 * small order, for which no key exists. Half of all random bytes are no point. Addresses of programs are chosen among those.
 */
export function isEd25519Key(bytes: Uint8Array): boolean {
  if (bytes.length !== 32) return false;
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`) & (SIGN_BIT - 1n);
  if (y >= P) return false;
  const square = (y * y) % P;
  // x² = u/v. It has a root if u·v has one, because v² is a square.
  const [u, v] = [square - 1n, D * square + 1n];
  return isSquare(u * v) && !isOfSmallOrder(square);
}

/** Euler's criterion. */
function isSquare(value: bigint): boolean {
  const root = power(modulo(value), (P - 1n) / 2n);
  return root === 0n || root === 1n;
}

/** By y²: 0 and 1 belong to orders 1, 2 and 4. An order of 8 means that twice the point has y = 0, so d·y⁴ + 2y² = 1. */
function isOfSmallOrder(square: bigint): boolean {
  return square <= 1n || modulo(D * square * square + 2n * square - 1n) === 0n;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, base];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % P;
    factor = (factor * factor) % P;
  }
  return result;
}

function modulo(value: bigint): bigint {
  const rest = value % P;
  return rest < 0n ? rest + P : rest;
}
