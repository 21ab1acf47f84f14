import { addDictionary } from "./language.ts";
import { SHARED_FR } from "./shared.fr.ts";
import { Dictionary } from "./translation.ts";

/** Every words file's translation. A test compares this list with the files. */
export const FRENCH = new Dictionary([SHARED_FR]);

addDictionary("fr", FRENCH);
