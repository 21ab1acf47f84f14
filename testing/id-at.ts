/**
 * SQL of an id as `newId` makes it: it begins with when it was made (business time), so that what looks for a time by ids finds rows that a
 * test has made in SQL. `at` and `tail` are SQL, the tail of 16 characters.
 */
export function idAt(prefix: string, at: string, tail: string): string {
  const place = `((floor(extract(epoch from ${at}) * 1000)::bigint >> (5 * (9 - place))) & 31)::int + 1`;
  return `'${prefix}_' || (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', ${place}, 1), '' order by place)
    from generate_series(0, 9) as place) || ${tail}`;
}
