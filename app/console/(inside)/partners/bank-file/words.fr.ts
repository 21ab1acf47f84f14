import { plural } from "../../../_words/plural.fr.ts";
import { translated } from "../../../_words/translation.ts";
import { BANK_FILE, PAGE } from "./words.ts";

/** French. */
export const BANK_FILE_WORDS_FR = translated(
  { BANK_FILE, PAGE },
  {
    BANK_FILE: {
      title: "Comptabiliser un fichier bancaire",
      explained:
        "Un fichier CSV de ce que les partenaires ont payé. Chaque ligne est comptabilisée une seule fois, par sa référence. Un fichier relu ne comptabilise rien deux fois.",
      columns:
        "Colonnes, dans n’importe quel ordre : {columns}. Le partenaire est son identifiant court ou son identifiant, le montant en unités de la devise, le jour au format 2026-11-27.",
      choose: "Le fichier",
      caption: "Erreurs du fichier",
      row: "Ligne",
      column: "Colonne",
      fault: "Ce qui ne va pas",
      faults: (count) => `${plural(count, `${count} erreur`, `${count} erreurs`)}. Corrigez le fichier et choisissez-le de nouveau.`,
      fresh: (fresh, known) =>
        `${plural(fresh, `${fresh} nouveau`, `${fresh} nouveaux`)}, ${plural(known, `${known} déjà comptabilisé`, `${known} déjà comptabilisés`)}.`,
      nothingNew: "Il ne contient rien de nouveau.",
      book: (count) => plural(count, `Comptabiliser ${count} paiement…`, `Comptabiliser ${count} paiements…`),
      bookTitle: "Comptabiliser les paiements de ce fichier",
      bookMeans: "Tous ou aucun. En mode production, un autre administrateur les confirme d’abord ensemble.",
      bookIt: "Comptabiliser",
      booked: (count) => plural(count, `${count} paiement comptabilisé`, `${count} paiements comptabilisés`),
      proposed: "Proposé. Un autre administrateur doit confirmer sous Propositions.",
    },
    PAGE: { title: "Comptabiliser un fichier bancaire" },
  },
);
