import { translated } from "../../../_words/translation.ts";
import { GO_LIVE_WORDS, PAGE } from "./words.ts";

/** French. */
export const GO_LIVE_WORDS_FR = translated(
  { PAGE, GO_LIVE_WORDS },
  {
    PAGE: {
      title: "Passage en production",
      lead: "Ce qu’il faut terminer avant de recevoir de l’argent réel. Chaque étape est cochée automatiquement.",
      page: "Dans la documentation",
    },
    GO_LIVE_WORDS: {
      label: "Étapes avant le mode production",
      done: (done, count) => `${done} sur ${count}`,
      doneLabel: "Terminé",
      openLabel: "À faire",
      how: "Comment",
      where: "Y aller",
      linkTo: (step) => ` : ${step}`,
      steps: {
        signed_keys: {
          title: "Chaque clé signe chaque requête",
          text: "Une nouvelle clé en mode production signe tout : signed_management vaut all. Les clés du bac à sable n’ont pas à signer la gestion du partenaire. Signez-la aussi dans vos tests.",
        },
        key_addresses: {
          title: "Chaque clé est limitée à vos adresses",
          text: "Donnez à chaque programme sa propre clé, avec les portées dont il a besoin et les adresses de ses serveurs. Le service refuse la clé depuis toute autre adresse.",
        },
        callback_secret: {
          title: "Vous avez un secret de callback",
          text: "Renouveler le secret crée le premier. D’ici là, les callbacks ne portent pas de webhook-signature, et votre récepteur ne peut pas les vérifier.",
        },
        receiver_certified: {
          title: "Votre récepteur réussit le contrôle du récepteur",
          text: "Le contrôle envoie à votre récepteur de production des doublons, des faux et des callbacks tardifs. Il réussit si votre récepteur les traite tous correctement.",
        },
        limits: {
          title: "Une paire vous est ouverte",
          text: "Comparez aussi le minimum et le maximum de chaque paire à vos paiements, et vos limites de débit à votre trafic. Demandez à l’opérateur de les modifier avant de commencer.",
        },
        people: {
          title: "Deux propriétaires se connectent avec un second facteur",
          text: "En mode production, un autre propriétaire confirme les paiements issus d’un fichier. Invitez un second propriétaire. Configurez chacun une clé d’accès ou des codes à usage unique, ou utilisez l’authentification unique.",
        },
        first_payment: {
          title: "Un premier paiement est arrivé",
          text: "Payez un petit montant à un portefeuille à vous. C’est fait quand le règlement est exécuté et que votre récepteur a accepté un callback.",
        },
      },
    },
  },
);
