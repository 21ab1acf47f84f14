import { plural } from "../../_words/plural.fr.ts";
import { translated } from "../../_words/translation.ts";
import { DECIDE, ORDER_DIALOG, REVIEW_PART, REVIEWS } from "./order-words.ts";

/** French. */
export const TREASURY_ORDER_WORDS_FR = translated(
  { ORDER_DIALOG, REVIEWS, REVIEW_PART, DECIDE },
  {
    ORDER_DIALOG: {
      bump: {
        title: (nonce) => `Relever les frais du nonce ${nonce}`,
        explained:
          "Le service propose exactement le même paiement avec des frais plus élevés, sous le même nonce : même destinataire, même montant. Un seul des deux peut être inclus dans un bloc.",
        button: "Relever les frais",
        toast: "Les frais sont en train d’être relevés",
      },
      cancel: {
        title: (nonce) => `Annuler le nonce ${nonce}`,
        explained:
          "Le service envoie une transaction vide au portefeuille lui-même sous le même nonce. La chaîne n’inclut que l’une des deux. Si elle inclut le paiement, il est effectué. Sinon, le paiement échoue définitivement et le partenaire en est informé. En mode production, un autre administrateur doit d’abord confirmer sous Propositions.",
        button: "Annuler le paiement",
        toast: "L’annulation du paiement est en cours",
      },
      withdraw: {
        title: (nonce) => `Retirer l’annulation du nonce ${nonce}`,
        explained:
          "Le service propose de nouveau exactement le même paiement sous le même nonce, avec des frais plus élevés que l’annulation. Si la chaîne inclut quand même l’annulation, le paiement échoue et le partenaire en est informé.",
        button: "Retirer l’annulation",
        toast: "Le paiement est renvoyé",
      },
      stop: {
        title: "Tout arrêter",
        explained:
          "Rien de nouveau n’est signé, sur aucune chaîne et pour aucun partenaire, jusqu’à ce que deux personnes lèvent l’arrêt (une dans le bac à sable). Les transactions signées restent suivies. Les règlements confirmés attendent, et personne n’obtient de cotation.",
        button: "Tout arrêter",
        toast: "Tout est arrêté",
      },
      halt: {
        wallet: { title: "Arrêter le portefeuille", button: "Arrêter le portefeuille", toast: "Le portefeuille est arrêté" },
        chain: { title: "Arrêter la chaîne", button: "Arrêter la chaîne", toast: "La chaîne est arrêtée" },
        pair: { title: "Arrêter la paire", button: "Arrêter la paire", toast: "La paire est arrêtée" },
        explained:
          "Rien de nouveau n’y est signé jusqu’à ce que deux personnes lèvent l’arrêt (une dans le bac à sable). Les transactions signées restent suivies. Tant que rien n’est signé sur une chaîne, personne n’y obtient de cotation.",
      },
      lift: {
        title: "Lever l’arrêt",
        explained: (scope, detail) =>
          `${scope} : ${detail} Indiquez ce que vous avez constaté. En mode production, un autre administrateur doit d’abord confirmer sous Propositions.`,
        button: "Lever l’arrêt",
        toast: "L’arrêt est levé",
      },
      safeOwner: {
        title: "Donner un nouveau propriétaire à ses Safes",
        explained:
          "Chaque Safe de ce portefeuille reçoit un portefeuille actif comme propriétaire. Ce portefeuille signe le changement, donc sa clé doit encore être configurée. Un autre portefeuille l’envoie. En mode production, un autre administrateur doit d’abord confirmer sous Propositions.",
        button: "Donner un nouveau propriétaire",
        toast: "Les Safes reçoivent un nouveau propriétaire",
      },
      acceptUnread: {
        label: "Nonces que vous acceptez sans lecture",
        hint: "Laissez d’abord vide. Si la chaîne ne peut pas montrer ce qu’un nonce a payé, la réponse liste le nonce, par exemple 3, 7-9. Un paiement sous un nonce accepté peut être effectué deux fois.",
        wrong: "Saisissez des nombres et des intervalles, par exemple 3, 7-9",
      },
      states: {
        active: {
          title: "Remettre le portefeuille en service",
          explained:
            "Il signe et reçoit comme tout autre. En mode production, un autre administrateur doit d’abord confirmer sous Propositions.",
          button: "Remettre en service",
        },
        draining: {
          title: "Mettre le portefeuille en extinction",
          explained: "Il ne signe rien de nouveau et ne reçoit pas de rapatriements. Ses transactions signées sont menées à terme.",
          button: "Mettre en extinction",
        },
        retired: {
          title: "Mettre le portefeuille hors service",
          explained:
            "Sa clé ne sert plus, pas même à relever des frais. Si des transactions sont en cours, mettez-le d’abord en extinction.",
          button: "Mettre hors service",
        },
        compromised: {
          title: "Marquer le portefeuille comme compromis",
          explained:
            "Le portefeuille est arrêté immédiatement. Sa clé ne sert plus jamais, et rien n’y est rapatrié. Cette action est irréversible.",
          button: "Marquer comme compromis",
        },
      },
      stateChanged: "L’état du portefeuille est modifié",
    },
    REVIEWS: {
      label: "À vérifier",
      title: (payments) => plural(payments, `${payments} paiement à vérifier`, `${payments} paiements à vérifier`),
      line: "{amount} à {recipient}",
      look: "Examiner",
      onTransfer: (transferId) => `sur ${transferId}`,
      question: "A-t-il été payé ?",
    },
    REVIEW_PART: {
      askingChain: "Interrogation de la chaîne",
      chainState: "Ce que la chaîne indique maintenant",
      closed: "Plus aucune décision n’est nécessaire : quelqu’un a décidé, ou la chaîne l’a fait.",
      silent: "{node} ne répond pas ou ne sait plus. Rien ne peut être décidé sans lui.",
      lapsingReport: "{node} indique, pour nos paiements signés, qui expirent d’eux-mêmes :",
      nodeReport: (transactions, nonce, isSpent) =>
        `Transactions du portefeuille dans des blocs selon {node} : ${transactions}. Le nonce ${nonce} ${isSpent ? "est consommé." : "n’est pas consommé."}`,
      ours: { payment: "Notre paiement {hash}", cancellation: "Notre annulation {hash}" },
      observations: {
        unknown: "n’est pas sur la chaîne.",
        reverted: "a été annulé par la chaîne : rien n’a bougé.",
        paid: "a effectué le paiement.",
        moved_nothing: "a réussi, est définitif et n’a, preuve à l’appui, rien déplacé.",
        unclear: "a réussi ; ce qui a été déplacé n’est pas prouvé.",
      },
      notPaidImpossible: (danger) => `« Non payé » n’est pas possible : ${danger}`,
    },
    DECIDE: {
      transactionHint: "Parmi nos tentatives, celle-ci a effectué le paiement.",
      outcome: "Votre décision",
      notAllowed: "La chaîne ne le permet pas pour le moment. Voir ci-dessus.",
      transaction: "Transaction qui l’a payé",
      hashWanted: "Saisissez le hash de la transaction tel que l'explorateur de la chaîne l'affiche",
      partnerMessage: "Message au partenaire",
      choices: {
        resume: {
          title: "Vérifier de nouveau",
          button: "Vérifier de nouveau",
          explained: "Le service le contrôle de nouveau et ne signe rien. Si rien n’a changé, il revient ici.",
        },
        executed: {
          title: "Il a été payé",
          button: "Enregistrer comme payé",
          explained:
            "Indiquez la transaction. Elle doit être définitive et ne pas précéder le paiement. Elle doit montrer exactement ce paiement sur chaque nœud, et ne pas prouver un autre paiement. Le partenaire est informé de l’exécution.",
        },
        retry: {
          title: "Il n’a pas été payé. Le payer de nouveau",
          button: "Payer de nouveau",
          explained:
            "Refusé tant que l’une de nos tentatives peut avoir payé. Le service signe de nouveau le paiement sous un nouveau nonce, éventuellement depuis un autre portefeuille.",
        },
        failed: {
          title: "Il n’a pas été payé et ne le sera jamais",
          button: "Enregistrer comme non payé",
          explained:
            "Refusé tant que l’une de nos tentatives peut avoir payé. Le paiement échoue définitivement, et le partenaire reçoit votre message.",
        },
      },
    },
  },
);
