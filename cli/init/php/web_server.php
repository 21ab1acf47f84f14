<?php

declare(strict_types=1);

/** PHP's own web server on a free port, with receiver.php or another program. It ends with this object. */
final class WebServer
{
    public readonly string $url;
    public readonly string $folder;
    /** @var resource */
    private $process;

    /** PHP’s web server can answer several requests at the same time: `$workers`. */
    public function __construct(string $program, int $workers = 1)
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($socket, false);
        fclose($socket);
        $this->url = "http://$address/callbacks";
        $this->folder = sys_get_temp_dir() . '/callbacks-' . bin2hex(random_bytes(8));
        mkdir($this->folder, 0700);
        $null = ['file', '/dev/null', 'w'];
        $this->process = proc_open([PHP_BINARY, '-S', $address, $program], [['file', '/dev/null', 'r'], $null, $null], $pipes, __DIR__, [
            ...getenv(),
            'CALLBACKS' => $this->folder,
            ...($workers === 1 ? [] : ['PHP_CLI_SERVER_WORKERS' => (string) $workers]),
        ]);
        for ($attempt = 0; $attempt < 100 && !@stream_socket_client("tcp://$address"); $attempt++) {
            usleep(50_000);
        }
    }

    /**
     * The first callback that was kept, within 30 s.
     *
     * @return array{event: string, body: array<string, mixed>}
     */
    public function callback(): array
    {
        for ($attempt = 0; $attempt < 300; $attempt++) {
            foreach ($this->kept() as $file) {
                return json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR);
            }
            usleep(100_000);
        }
        throw new RuntimeException('no callback came within 30 s');
    }

    /** @return list<string> the files of all callbacks */
    public function kept(): array
    {
        return glob("$this->folder/*.json");
    }

    public function __destruct()
    {
        proc_terminate($this->process);
        proc_close($this->process);
        array_map(unlink(...), glob("$this->folder/*"));
        rmdir($this->folder);
    }
}
