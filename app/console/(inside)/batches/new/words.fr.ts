import { plural } from "../../../_words/plural.fr.ts";
import { translated } from "../../../_words/translation.ts";
import { PAGE, UPLOAD } from "./words.ts";

/** French. */
export const NEW_BATCH_WORDS_FR = translated(
  { PAGE, UPLOAD },
  {
    PAGE: { title: "Importer des paiements" },
    UPLOAD: {
      title: "Importer des paiements",
      batches: "Lots",
      explained:
        "Payez de nombreux bénéficiaires avec un seul fichier CSV : jusqu’à 10 000 lignes, chacune un paiement. Rien n’est payé avant qu’une personne ne confirme.",
      choose: "Fichier CSV",
      chooseHint: "Séparé par des virgules ou des points-virgules. Les montants sont en unités de leur devise, par exemple 1250.50.",
      template: "Télécharger un modèle",
      payUnder: "Clé d’API",
      payUnderHint: "Les paiements comptent dans les plafonds de cette clé.",
      noKey: "Vous n’avez aucune clé d’API qui puisse créer des règlements. Créez-en d’abord une avec le droit settlements:write.",
      toKeys: "Clés d’API",
      nameHint: "Les lots se retrouvent sous ce nom. Utilisez un autre nom pour chaque fichier.",
      rows: (count) => `${count.toLocaleString("fr")} ${plural(count, "paiement", "paiements")}`,
      check: "Vérifier le fichier",
      checkAgain: "Vérifier à nouveau",
      other: "Choisir un autre fichier",
      progress: "Avancement",
      checking: (done, of) =>
        `${done.toLocaleString("fr")} ${plural(done, "ligne vérifiée", "lignes vérifiées")} sur ${of.toLocaleString("fr")}`,
      creating: (done, of) =>
        `${done.toLocaleString("fr")} ${plural(done, "paiement créé", "paiements créés")} sur ${of.toLocaleString("fr")}`,
      keepOpen: "Gardez cette page ouverte. Si elle se ferme, importez à nouveau le même fichier : l’import reprend où il s’est arrêté.",
      faulty: (count) => `${count.toLocaleString("fr")} ${plural(count, "erreur", "erreurs")} à corriger`,
      nothingStored: "Corrigez les cellules ici, ou dans votre fichier, et vérifiez à nouveau. Rien n’a été enregistré.",
      someStored: (count) => `${count} ${plural(count, "lot a déjà été créé", "lots ont déjà été créés")} à partir de ce fichier.`,
      caption: "Lignes avec une erreur",
      row: "Ligne",
      rowNumber: (row) => `Ligne ${row}`,
      cellOf: (column, row) => `${column}, ligne ${row}`,
      moreRows: (count) =>
        `${count.toLocaleString("fr")} ${plural(count, "autre ligne a une erreur", "autres lignes ont une erreur")}. Vous les verrez une fois celles-ci corrigées.`,
      ready: "Aucune erreur",
      total: "Total",
      fees: "Dont frais",
      estimate: "Estimation au taux actuel. Chaque lot obtient son propre taux garanti à sa création.",
      create: (count) => `Créer ${count.toLocaleString("fr")} ${plural(count, "paiement", "paiements")}`,
      confirmLater: "La création ne paie rien. La page suivante affiche le taux de chaque lot, et demande la confirmation.",
      notCreated: "Les paiements n’ont pas été créés",
    },
  },
);
