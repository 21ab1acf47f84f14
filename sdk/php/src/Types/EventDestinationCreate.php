<?php

// Written by scripts/openapi.ts out of the service's OpenAPI documents: do not edit it.

declare(strict_types=1);

namespace SettlementSdk\Types;

/** What a request says as EventDestinationCreate. */
final readonly class EventDestinationCreate implements \JsonSerializable
{
    public function __construct(
        /** How events are sent. webhook: each event is a POST to the URL. amqp: each event is a persistent message to an exchange. nats: each event is a message in a JetStream stream. One of webhook, amqp, nats; a later version of the service may have more. */
        public string $type,
        /** The address, on a public host. webhook: https://… amqp: amqps://USER:PASSWORD@HOST/VHOST?exchange=NAME; the default exchange is amq.topic, and the routing key is the event's type. nats: tls://USER:PASSWORD@HOST?subject=PREFIX; the default prefix is events, and the event's type follows it. Credentials are never shown again. */
        public string $url,
        /**
         * The types of event to send. A pattern such as settlement.* means all types of one object.
         *
         * @var list<string>
         */
        public array $types,
        /** A description for your own people. */
        public ?string $description = null,
    ) {
    }

    /**
     * What is sent: what is null is left out.
     *
     * @return array<string, mixed>
     */
    public function jsonSerialize(): array
    {
        return array_filter([
            'type' => $this->type,
            'url' => $this->url,
            'types' => $this->types,
            'description' => $this->description,
        ], static fn ($value) => $value !== null);
    }
}
