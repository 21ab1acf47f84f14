<?php

declare(strict_types=1);

namespace SettlementSdk;

/** The service refused the request. `error_code` says why, and may be unknown to this version: treat that by its `status`. */
final class Refused extends SettlementException
{
    /** Why, as one of the codes of the documentation. */
    public readonly string $error_code;
    /** Why, as a sentence. */
    public readonly string $detail;
    /** The request's id. Name it when you ask the operator. */
    public readonly ?string $request_id;
    /** The seconds after which you may try again. Null if the service did not say. */
    public readonly ?float $retry_after;
    /** @var list<Fault> The invalid fields, with status 422. */
    public readonly array $faults;
    /** @var array<string, mixed> The whole answer, such as server_time, current_destination_amount, settlement_status. */
    public readonly array $members;

    /** @param array<string, string> $headers by their names in lower case */
    public function __construct(public readonly int $status, array $headers, mixed $body)
    {
        $this->members = is_array($body) ? $body : [];
        $this->faults = self::faultsOf($this->members);
        $code = $this->members['code'] ?? null;
        $this->error_code = is_string($code) ? $code : ($status === 422 ? 'validation_failed' : 'unknown');
        $detail = $this->members['detail'] ?? null;
        $first = $this->faults === [] ? "The service answered $status." : $this->faults[0]->message;
        $this->detail = is_string($detail) ? $detail : $first;
        $this->request_id = $headers['x-request-id'] ?? null;
        $after = $headers['retry-after'] ?? '';
        $this->retry_after = is_numeric($after) && $after >= 0 ? (float) $after : null;
        $places = array_map(fn (Fault $one) => $one->message === $this->detail ? $one->at : "$one->at: $one->message", $this->faults);
        parent::__construct("$status $this->error_code: $this->detail" . ($places === [] ? '' : ' (' . implode('; ', $places) . ')'));
    }

    /**
     * Both surfaces have their own form.
     *
     * @param array<string, mixed> $members
     * @return list<Fault>
     */
    private static function faultsOf(array $members): array
    {
        $faults = [];
        foreach (is_array($members['errors'] ?? null) ? $members['errors'] : [] as $one) {
            $faults[] = new Fault((string) ($one['pointer'] ?? $one['parameter'] ?? ''), (string) ($one['code'] ?? ''), (string) ($one['message'] ?? ''));
        }
        foreach ($faults === [] && is_array($members['detail'] ?? null) ? $members['detail'] : [] as $one) {
            $faults[] = new Fault(implode('.', $one['loc'] ?? []), (string) ($one['type'] ?? ''), (string) ($one['msg'] ?? ''));
        }
        return $faults;
    }
}
