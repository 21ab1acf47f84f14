import { translated } from "../../_words/translation.ts";
import { HOURS_FORM, NOTICE_CHOICES, NOTICE_LIST, PAGE, WEBHOOK_FORM } from "./words.ts";

/** French. */
export const NOTIFICATIONS_WORDS_FR = translated(
  { PAGE, WEBHOOK_FORM, NOTICE_LIST, HOURS_FORM, NOTICE_CHOICES },
  {
    PAGE: { title: "Notifications" },
    WEBHOOK_FORM: {
      webhookRemoved: "Webhook retiré",
      webhookSaved: "Webhook enregistré",
      removedMore: "Les messages n’y sont plus envoyés.",
      savedMore: "Choisissez ci-dessus les messages à y envoyer.",
      address: "Adresse du webhook",
      newAddress: (host) => `Nouvelle adresse, à la place de celle chez ${host}`,
      addressHint:
        "Les messages suivent le format de Slack, que d’autres messageries acceptent aussi. L’adresse est chiffrée et n’est plus affichée.",
      save: "Enregistrer le webhook",
      remove: "Retirer le webhook",
    },
    NOTICE_LIST: {
      latest: "Dernières",
      markAllRead: "Tout marquer comme lu",
      none: "Aucune notification pour l’instant",
      noneMore: "Choisissez ci-dessous ce qui vous est notifié.",
      caption: "Vos notifications",
    },
    HOURS_FORM: {
      atOnce: "Immédiatement",
      hourly: "Une fois par heure, en un seul message",
      daily: "Une fois par jour à neuf heures, en un seul message",
      savedMore: "Les e-mails et les messages du webhook suivent désormais ces heures.",
      delivery: "E-mail et webhook",
      quietFrom: "Silence de",
      quietUntil: "Silence jusqu’à",
      quietHint: "Laissez les deux vides pour n’avoir aucune heure de silence. La cloche affiche les notifications à toute heure.",
      timeZone: "Votre fuseau horaire",
      save: "Enregistrer les heures",
    },
    NOTICE_CHOICES: {
      kinds: {
        approval_waits: "Un règlement attend une approbation",
        decision_overdue: "Une décision est en retard, et c’est à vous qu’elle est transmise",
        decision_for_absent: "Une décision attend une personne que vous remplacez",
        second_yes: "Une deuxième personne est nécessaire",
        callback_gave_up: "Le service a abandonné des callbacks vers un récepteur",
        low_balance: "Le solde d’un portefeuille de trésorerie est bas",
        lane_halted: "Des paiements ont été mis à l’arrêt",
        new_place: "Une connexion à votre compte depuis un nouveau lieu",
        account_changed: "Votre compte a été modifié",
        key_changed: "Une clé ou un secret a été modifié",
        payee_waits: "Un versement à un nouveau bénéficiaire attend",
        hold_released: "Un paiement retenu a été débloqué",
        destination_paused: "Une destination d’événements a été suspendue",
        decided: "Une décision a été prise",
      },
      channels: { console: "Console", mail: "E-mail", webhook: "Webhook" },
      title: "Ce qui vous est notifié",
      mailTo: (email) => `Les e-mails vont à ${email}.`,
      noMail: "Cette installation n’envoie pas d’e-mails.",
      noWebhook: "Ajoutez un webhook ci-dessous pour l’utiliser.",
      webhook: (webhookHost) => `Le webhook est chez ${webhookHost}.`,
      hoursTitle: "Quand cela vous est notifié",
      webhookColumn: "Webhook",
      caption: "Ce qui vous est notifié, et comment",
    },
  },
);
