import { translated } from "../../_words/translation.ts";
import {
  DEVICES_DIALOG,
  INVITATIONS,
  INVITE_DIALOG,
  PAGE,
  PEOPLE_SCREEN,
  PEOPLE_TABLE,
  PERMISSION_MATRIX,
  PERSON_DIALOG,
} from "./words.ts";

const ENGLISH = {
  PAGE,
  PEOPLE_SCREEN,
  PEOPLE_TABLE,
  INVITATIONS,
  INVITE_DIALOG,
  DEVICES_DIALOG,
  PERSON_DIALOG,
  PERMISSION_MATRIX,
};

/** French. */
export const PEOPLE_WORDS_FR = translated(ENGLISH, {
  PAGE: { title: "Utilisateurs et rôles" },
  PEOPLE_SCREEN: {
    invite: "Inviter",
    whose: "De qui",
    ofOperator: "Les personnes de l’opérateur",
    ofPartners: "Les personnes de tous les partenaires",
    ofOne: (name) => `Les personnes de ${name}`,
    find: "Rechercher",
    findHint: "Nom ou adresse e-mail",
    noneFound: (sought) => `Personne ici n’a « ${sought} » dans son nom ou son adresse e-mail.`,
    none: "Personne ne peut encore se connecter de ce côté. Invitez quelqu’un.",
    more: "Voici les cent premières personnes par nom. Affinez par une recherche.",
  },
  PEOPLE_TABLE: {
    operator: "Opérateur",
    you: "(vous)",
    passwordOnly: "Mot de passe seul",
    unconfirmed: "Appareil non confirmé",
    confirmDevice: "Confirmer l’appareil",
    neverSigned: "Jamais connecté",
    deactivate: "Désactiver",
    deactivated: "Désactivé",
    actionsOn: (name) => `Actions sur ${name}`,
    changeRole: "Modifier le rôle",
    resetTwoFactors: "Réinitialiser les deux facteurs",
    endSessions: "Fermer toutes les sessions",
  },
  INVITATIONS: {
    withdrawn: "Invitation retirée",
    withdrawOf: (email) => `Retirer l’invitation de ${email}`,
    invitedBy: "Invité par",
    by: (invitedBy) => `par ${invitedBy}`,
    linkWorksUntil: "Lien valable jusqu’au",
    title: "Invités",
    caption: "Invitations",
    roleAt: (role, partner) => `${role}, ${partner}`,
  },
  INVITE_DIALOG: {
    sendTitle: "Envoyez ce lien",
    title: "Inviter quelqu’un",
    shownOnce: "C’est la seule fois que vous pouvez le voir. Quiconque l’a devient l’utilisateur, donc ne l’envoyez qu’à cette personne.",
    onlyTheirs: "Seule la personne invitée reçoit le lien. Vous ne le voyez pas.",
    mailedTo: (email) =>
      `Dès qu’un autre administrateur l’a confirmé sous Propositions, le lien est envoyé par e-mail à ${email}. Il fonctionne une fois, pendant trois jours.`,
    printedFor: (email) =>
      `Cette installation n’envoie pas d’e-mails. Dès qu’un autre administrateur l’a confirmé sous Propositions, la personne qui gère la machine affiche le lien : invitation-link ${email}`,
    linkFor: (email) => `Lien pour ${email}`,
    side: "Côté",
    theOperator: "L’opérateur",
    makeLink: "Créer le lien",
    worksUntil: "Il fonctionne une fois, jusqu’au {end}. S’il est perdu, invitez de nouveau la personne.",
    needsConfirmation:
      "Il ne fonctionne qu’une fois confirmé par un autre administrateur sous Propositions. Ensuite, il fonctionne une fois, pendant trois jours.",
  },
  DEVICES_DIALOG: {
    title: (name) => `Est-ce l’appareil de ${name} ?`,
    ask: "Demandez-lui par un moyen sûr, en personne ou par téléphone : comment s’appelle l’appareil, quand et où a-t-il été ajouté ? Ne confirmez que si tout concorde. En mode production, ses décisions ne comptent qu’après cela.",
    notTheirs: "Si cela ne concorde pas, désactivez le compte et informez les autres administrateurs.",
    devices: (name) => `Appareils de ${name}`,
    device: "Appareil",
    app: "Application d’authentification",
    added: "Ajouté",
    from: "De",
    unknown: "Non enregistré",
    confirm: "C’est le sien",
    confirmed: "Appareil confirmé",
  },
  PERSON_DIALOG: {
    proposedMore: (name) => `${name} reçoit le rôle dès qu’un autre administrateur le confirme.`,
    isNow: (name, role) => `${name} a maintenant le rôle « ${role.toLowerCase()} »`,
    permissions: {
      role: {
        title: (name) => `Modifier le rôle de ${name}`,
        consequence: "Le changement s’applique dès son prochain clic. Ses invitations en attente sont retirées.",
        button: "Modifier le rôle",
        done: "Rôle modifié",
      },
      disable: {
        title: (name) => `Désactiver ${name} ?`,
        consequence:
          "Toutes ses sessions prennent fin immédiatement, et la connexion n’est plus possible. Le journal d’audit garde ses actions. Vous pourrez réactiver le compte plus tard.",
        button: "Désactiver",
        done: "Désactivé",
      },
      enable: {
        title: (name) => `Réactiver ${name} ?`,
        consequence: "La connexion se fait avec l’ancien mot de passe et l’ancien second facteur.",
        button: "Réactiver",
        done: "Réactivé",
      },
      sessions: {
        title: (name) => `Fermer toutes les sessions de ${name} ?`,
        consequence:
          "Cette personne est déconnectée partout immédiatement et peut se reconnecter. Si quelqu’un d’autre a son mot de passe, désactivez plutôt le compte.",
        button: "Fermer toutes les sessions",
        done: "Sessions fermées",
      },
      reset: {
        title: (name) => `Réinitialiser les deux facteurs de ${name} ?`,
        consequence:
          "Pour quelqu’un qui a perdu son téléphone et ses codes de secours. Le mot de passe seul permet alors de se connecter : vérifiez d’abord par un autre moyen que c’est bien cette personne. Toutes ses sessions prennent fin.",
        button: "Réinitialiser les deux facteurs",
        done: "Deux facteurs réinitialisés",
      },
    },
  },
  PERMISSION_MATRIX: {
    label: "Droits par rôle",
    permission: "Droit",
    yes: "Oui",
    no: "Non",
    permissions: {
      "operator:read": "Tout voir, de tous les partenaires",
      "operator:decide_settlement": "Approuver et rejeter des règlements",
      "operator:resend_callback": "Renvoyer des callbacks, de tous les partenaires",
      "operator:administer": "Gérer les personnes, les partenaires, les clés, les taux et la trésorerie",
      "partner:read": "Voir et exporter les données de leur partenaire",
      "partner:resend_callback": "Renvoyer les callbacks de leur partenaire",
      "partner:manage_members": "Créer et modifier des membres",
      "partner:pay": "Importer, confirmer et annuler des paiements",
      "partner:move_fiat": "Demander des approvisionnements et des retraits",
      "partner:manage_keys": "Créer, renouveler et révoquer des clés d’API et des secrets de callback",
      "partner:manage_people": "Inviter et gérer les personnes de leur partenaire",
    },
  },
});
