<?php

declare(strict_types=1);

/** The sandbox that the environment names, or one of our own. */
final class Sandbox
{
    private const READY = '/^Management on (\S+): .*^Sluice is ready on (\S+)$/ms';

    /**
     * @param resource|null $process
     * @param resource|null $output
     */
    private function __construct(
        public readonly string $url,
        private readonly string $management,
        private readonly mixed $process = null,
        private readonly mixed $output = null,
    ) {
    }

    public static function start(): self
    {
        $url = getenv('SLUICE_URL');
        $management = getenv('SLUICE_MANAGEMENT_URL');
        if ($url && $management) {
            return new self($url, $management);
        }
        // Its data stays in the folder .sluice, so that the next start is quicker.
        $command = ['npx', '--no', '--', 'sluice-sandbox', '--port', '0'];
        $process = proc_open($command, [1 => ['pipe', 'w']], $pipes);
        $printed = '';
        while (!preg_match(self::READY, $printed, $ready)) {
            $line = fgets($pipes[1]);
            if ($line === false) {
                throw new RuntimeException("The sandbox did not start. It printed:\n$printed");
            }
            $printed .= $line;
        }
        return new self($ready[2], $ready[1], $process, $pipes[1]);
    }

    /** Forgets everything that was paid. */
    public function reset(): void
    {
        $context = stream_context_create(['http' => ['method' => 'POST', 'content' => '']]);
        if (file_get_contents("$this->management/reset", false, $context) === false) {
            throw new RuntimeException('The sandbox was not reset.');
        }
    }

    public function stop(): void
    {
        if ($this->process === null) {
            return;
        }
        proc_terminate($this->process);
        // Not before the sandbox itself has ended: npx ends earlier.
        stream_get_contents($this->output);
        proc_close($this->process);
    }
}
