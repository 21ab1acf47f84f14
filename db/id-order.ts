import { ID_LETTERS } from "#domain/ids.ts";

/**
 * SQL: whether the database sorts ids by their code points. Ids sort by time (`domain/ids.ts`), and books, events and retention compare them. Some
 * languages sort pairs of letters in another way: `ch` after `h` in Czech, `aa` after `z` in Danish.
 */
export const SORTS_IDS = `(select array_agg(s order by s) = array_agg(s order by s collate "C") from (
  select a || b as s from unnest(string_to_array('${ID_LETTERS}', null)) as a, unnest(string_to_array('${ID_LETTERS}', null)) as b) as pairs)`;

export const UNSORTED_IDS =
  "The database sorts letters by the rules of a language that change the order of ids. Make it as docs/runbooks/start-live.md says (`lc_collate 'C'`), and move the rows by dump and restore.";
