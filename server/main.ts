import { runCommand } from './cli/commands.ts';

const io = {
  out: (text: string): void => void process.stdout.write(`${text}\n`),
  err: (text: string): void => void process.stderr.write(`${text}\n`),
};

const code = await runCommand(process.argv.slice(2), io);
// Only the server stays; every other command ends here, whatever timers a library left behind.
if (code !== 'stay') process.exit(code);
