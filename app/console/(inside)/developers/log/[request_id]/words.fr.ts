import { plural } from "../../../../_words/plural.fr.ts";
import { translated } from "../../../../_words/translation.ts";
import { DEBUGGER, PAGE, REQUEST_PAGE } from "./words.ts";

/** French. */
export const API_REQUEST_WORDS_FR = translated(
  { REQUEST_PAGE, DEBUGGER, PAGE },
  {
    REQUEST_PAGE: {
      signature: "Signature",
      offline: "débogueur qui fonctionne hors ligne",
      asCurl: "La même requête en cURL",
      answered: "Réponse",
      ms: (milliseconds) => `${milliseconds} ms`,
      noRoute: "Aucune : aucune route ne correspond",
      query: "Paramètres",
      error: "Erreur",
      idempotency: "Idempotence",
      replayed: "Rejouée : la réponse enregistrée pour cette Idempotency-Key",
      kept: "Conservation",
      dataExpired: (days) =>
        `Les données nécessaires ne sont plus conservées. Elles le sont ${days} ${plural(days, "jour", "jours")}, pour 60 requêtes refusées par clé et par minute au plus. Signez de nouveau la requête, ou utilisez le {link}.`,
      keptDays: (days) => `${days} ${plural(days, "jour", "jours")}, sans les corps`,
      keptDaysAndBody: (days, body) => `${days} ${plural(days, "jour", "jours")}, sans les corps ; ce corps refusé, ${body}`,
    },
    DEBUGGER: {
      trying: "Essai des erreurs connues",
      signature: "Signature",
      serverRead: "Ce que le serveur a lu",
      compareYours: "Comparer à la vôtre",
      outcomes: { passed: "Réussi", failed: "Échoué", unknown: "Non évalué" },
      received: (characters) => `La signature reçue : {begins}, ${characters} caractères`,
    },
    PAGE: { title: (id) => `Requête ${id}` },
  },
);
