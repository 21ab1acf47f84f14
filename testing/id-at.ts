const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const SHIFTS = [45, 40, 35, 30, 25, 20, 15, 10, 5, 0];

/**
 * SQL of an id as `newId` makes it: it begins with when it was made (business time), so that what looks for a time by ids finds rows that a
 * test has made in SQL. `at` and `tail` are SQL, the tail of 16 characters.
 */
export function idAt(prefix: string, at: string, tail: string): string {
  const letters = SHIFTS.map((shift) => `substr('${LETTERS}', ((ms >> ${shift}) & 31)::int + 1, 1)`).join(" || ");
  return `'${prefix}_' || (select ${letters} from (select floor(extract(epoch from ${at}) * 1000)::bigint as ms offset 0) as moment) || ${tail}`;
}
