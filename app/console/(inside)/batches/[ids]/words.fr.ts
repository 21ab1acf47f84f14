import { plural } from "../../../_words/plural.fr.ts";
import { translated } from "../../../_words/translation.ts";
import { BATCH_PAGE, PAGE } from "./words.ts";

/** French. */
export const BATCH_WORDS_FR = translated(
  { PAGE, BATCH_PAGE },
  {
    PAGE: { title: "Lot" },
    BATCH_PAGE: {
      batches: "Lots",
      title: (name, count) => (count === 1 ? name : `${name} et ${count - 1} ${plural(count - 1, "autre", "autres")}`),
      batchNoun: "lot",
      progress: "Avancement",
      paidOf: (executed, total) => `${executed} ${plural(Number(executed), "payé", "payés")} sur ${total}`,
      quoted: "coté(s)",
      processing: "en cours",
      executed: "exécuté(s)",
      failed: "échoué(s)",
      cancelled: "annulé(s)",
      batch: "Lot",
      payments: "Paiements",
      total: "Total",
      quote: "Cotation",
      runsOut: "Expire {time}",
      ranOut: "Expirée",
      show: "Afficher les paiements",
      results: "Résultats en CSV",
      awaitsApproval:
        "Un administrateur doit d’abord approuver, car un paiement ou le total dépasse le maximum de sa paire. Vous pourrez ensuite confirmer ici.",
      lapsed: "Une cotation a expiré. Demandez de nouvelles cotations, et vérifiez à nouveau les montants avant de confirmer.",
      requote: "Demander de nouvelles cotations",
      youMadeIt: "Vous avez importé ce fichier. Un autre propriétaire doit le confirmer sur cette page.",
      programMadeIt: "Un programme l’a créé par l’API, et doit l’y confirmer.",
      confirm: (count) => `Confirmer ${count.toLocaleString("fr")} ${plural(count, "paiement", "paiements")}…`,
      cancelAll: "Annuler…",
      confirmTitle: "Confirmer les paiements ?",
      confirmExplained: "Le service les envoie sur la chaîne. Cette action est irréversible.",
      confirmButton: (count) => `Confirmer (${count.toLocaleString("fr")})`,
      confirming: (done, count) =>
        `${done.toLocaleString("fr")} ${plural(done, "confirmé", "confirmés")} sur ${count.toLocaleString("fr")}`,
      confirmed: "Paiements confirmés",
      cancelTitle: "Annuler les paiements ?",
      cancelExplained: (count) => {
        const what = plural(
          count,
          "paiement est annulé et ne peut plus être confirmé",
          "paiements sont annulés et ne peuvent plus être confirmés",
        );
        return `${count.toLocaleString("fr")} ${what}. Leurs références ne peuvent pas être réutilisées.`;
      },
      cancelButton: "Annuler les paiements",
      cancelling: (done, count) => `${done.toLocaleString("fr")} ${plural(done, "annulé", "annulés")} sur ${count.toLocaleString("fr")}`,
      cancelDone: "Paiements annulés",
      pageMayBeClosed: "Vous pouvez fermer cette page. Les paiements continuent.",
    },
  },
);
