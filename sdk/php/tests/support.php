<?php

declare(strict_types=1);

use SettlementSdk\SettlementClient;

require __DIR__ . '/../autoload.php';
set_error_handler(static function (int $level, string $message, string $file, int $line): never {
    throw new ErrorException($message, 0, $level, $file, $line);
});

/** @var array<string, Closure> */
$tests = [];

function test(string $name, Closure $body): void
{
    global $tests;
    $tests[$name] = $body;
}

function same(mixed $found, mixed $wanted, string $about = ''): void
{
    if ($found !== $wanted) {
        throw new Exception("$about found " . var_export($found, true) . ', wanted ' . var_export($wanted, true));
    }
}

/** The exception that it throws, which is of that class and says that. */
function thrown(string $class, string $text, callable $body): Throwable
{
    try {
        $body();
    } catch (Throwable $error) {
        if (!$error instanceof $class || !str_contains($error->getMessage(), $text)) {
            throw new Exception('threw ' . $error::class . ": {$error->getMessage()}, wanted $class with '$text'", 0, $error);
        }
        return $error;
    }
    throw new Exception("threw nothing, wanted $class");
}

/** A file of the project. */
function project(string $path): mixed
{
    return json_decode(file_get_contents(__DIR__ . "/../../../$path"), true, flags: JSON_THROW_ON_ERROR);
}

/** The recorded answer of an operation, with some members changed, as JSON. */
function recorded(string $surface, string $operation, array $changed = []): string
{
    $answers = project('contract/openapi-examples.json')[$surface]['answers'][$operation];
    return json_encode([...reset($answers), ...$changed], JSON_THROW_ON_ERROR);
}

function answering(int $status, string $body, array $headers = []): array
{
    return ['status' => $status, 'body' => $body, 'headers' => $headers];
}

function problem(int $status, string $code, array $members = [], array $headers = []): array
{
    return answering($status, json_encode(['status' => $status, 'code' => $code, 'detail' => "It is $code.", ...$members], JSON_THROW_ON_ERROR), $headers);
}

/** Its answer is lost. */
const HANG_UP = ['lost' => true];

/** A client before a service of its own. */
final class Served
{
    public readonly SettlementClient $client;
    /** @var resource */
    private $process;
    /** @var array<int, resource> */
    private array $pipes = [];
    private array $requests = [];

    public function __construct(array $steps, array $options = [])
    {
        $this->process = proc_open([PHP_BINARY, __DIR__ . '/server.php'], [['pipe', 'r'], ['pipe', 'w']], $this->pipes);
        fwrite($this->pipes[0], json_encode($steps, JSON_THROW_ON_ERROR));
        fclose($this->pipes[0]);
        $port = trim((string) fgets($this->pipes[1]));
        $this->client = new SettlementClient(...['base_url' => "http://127.0.0.1:$port/", 'api_key' => 'key_1', 'api_secret' => 'sec_1', ...$options]);
        stream_set_blocking($this->pipes[1], false);
    }

    public function __destruct()
    {
        proc_terminate($this->process, 9);
        proc_close($this->process);
    }

    /** The requests so far, once there are that many. */
    public function requests(int $count): array
    {
        for ($wait = 0; count($this->requests) < $count && $wait < 2_000; $wait++) {
            $line = fgets($this->pipes[1]);
            if ($line === false) {
                usleep(5_000);
            } else {
                $this->requests[] = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
            }
        }
        usleep(20_000);
        while (($line = fgets($this->pipes[1])) !== false) {
            $this->requests[] = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
        }
        same(count($this->requests), $count, 'requests:');
        return $this->requests;
    }
}

/** How many different values a header had. */
function different(array $requests, string $name): int
{
    return count(array_unique(array_map(static fn (array $one) => $one['headers'][$name] ?? '', $requests)));
}
