import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { BATCH_LIST, BATCH_STATES, COLUMNS, PAGE } from "./words.ts";

/** French. */
export const BATCHES_WORDS_FR = translated(
  { PAGE, BATCH_LIST, COLUMNS, BATCH_STATES },
  {
    PAGE: { title: "Lots" },
    BATCH_LIST: {
      title: "Lots",
      searchedBy: "Nom",
      one: "lot",
      many: "lots",
      none: "Aucun lot pour l’instant",
      whatComesHere:
        "Un lot réunit jusqu’à 500 paiements qui sont créés, confirmés et décidés ensemble, par l’API ou à partir d’un fichier CSV.",
      upload: "Importer des paiements",
    },
    COLUMNS: {
      batch: "Lot",
      payments: "Paiements",
      paidOf: (executed, count) =>
        `${executed.toLocaleString("fr")} ${plural(executed, "payé", "payés")} sur ${count.toLocaleString("fr")}`,
      total: "Total",
    },
    BATCH_STATES: {
      quoted: "Coté",
      pending: "En attente d’approbation",
      rejected: "Rejeté",
      processing: "En cours",
      completed: "Terminé",
      cancelled: "Annulé",
    },
  },
);
