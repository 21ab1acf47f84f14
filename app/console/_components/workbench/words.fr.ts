import { translated } from "../../_words/translation.ts";
import { SEND, WORKBENCH } from "./words.ts";

/** French. */
export const WORKBENCH_WORDS_FR = translated(
  { WORKBENCH, SEND },
  {
    WORKBENCH: {
      title: "Atelier",
      aboutSettlement: "À propos de {id}",
      requests: "Requêtes",
      send: "Envoyer une requête",
      noRequests: "Aucune requête pour l’instant",
      noRequestsMore: "Les requêtes de la dernière heure apparaissent ici à leur arrivée.",
      noCallbacks: "Aucun callback pour l’instant",
      states: { delivered: "Remis", pending: "En attente", undelivered: "Non remis" },
    },
    SEND: {
      explained:
        "Votre navigateur signe la requête et l’envoie avec votre clé. Le secret reste dans ce formulaire et disparaît à sa fermeture.",
      method: "Méthode",
      target: "Chemin et paramètres",
      targetWanted: "Saisissez un chemin de ce service, tel que /api/v1/pairs.",
      body: "Corps",
      keyId: "Clé d’API",
      secret: "Secret d’API",
      send: "Signer et envoyer",
      noAnswer: "Aucune réponse. Si la requête modifie quelque chose, vérifiez si elle est arrivée avant de la renvoyer.",
      answer: "Réponse",
      answered: "{status} après {took} ms",
      inLog: "Dans le journal de l’API",
    },
  },
);
