import { translated } from "../_words/translation.ts";
import { NOT_FOUND } from "./words.ts";

/** French. */
export const INSIDE_WORDS_FR = translated(
  { NOT_FOUND },
  {
    NOT_FOUND: {
      title: "Introuvable",
      heading: "Il n’y a rien ici",
      sentence: "L’adresse est peut-être mal saisie, ou vous n’avez pas accès à cette page. Aller à {link}.",
      link: "la première page de la console",
    },
  },
);
