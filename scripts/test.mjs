// npm test: everything that is checked, fast to slow. Ends with one line: N passed, N failed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './install.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const long = process.argv.includes('--long');
const results = path.join(root, 'test-results');
const counts = { passed: 0, failed: 0 };
const failures = [];

const env = { ...process.env, FORCE_COLOR: '0', ...(long ? { MILKRUN_LONG: '1' } : {}) };

function run(title, args, options = {}) {
  console.log(`\n== ${title}`);
  const started = Date.now();
  const done = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...env, ...options.env } });
  console.log(`   ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return done.status === 0;
}

/** A check that counts as one test. */
function check(title, good) {
  counts[good ? 'passed' : 'failed'] += 1;
  if (!good) failures.push(title);
}

/** What a check found, told when it is done: others run beside it. */
function runBeside([title, args]) {
  return new Promise((resolve) => {
    const started = Date.now();
    const child = spawn(process.execPath, args, { cwd: root, env });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
    child.on('close', (code) => {
      console.log(`\n== ${title}\n${text}   ${((Date.now() - started) / 1000).toFixed(1)} s`);
      check(title, code === 0);
      resolve();
    });
  });
}

/** Most of them use one processor of the two. */
async function runInLanes(waiting, lanes = 2) {
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await runBeside(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

const bin = (name) => path.join(root, 'node_modules', name);

/** A suite with a JSON report of its own; a crash without a report counts as a failure. */
function suite(title, args, report, read) {
  rmSync(report, { force: true });
  const good = run(title, args);
  const { passed, failed } = existsSync(report)
    ? read(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 1 };
  counts.passed += passed;
  counts.failed += good ? failed : Math.max(1, failed);
  if (!good || failed) failures.push(title);
}

/** What failed, told once more at the end: the log above is long. */
const failedTests = [];

/** What only passed when it was tried again: green, but somebody should look. */
const secondTries = [];

const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)];

function readJourneys(json) {
  const named = (wanted) =>
    specsOf(json)
      .filter(({ tests }) => tests.some(({ status }) => status === wanted))
      .map(({ file, title }) => `${file}: ${title}`);
  secondTries.push(...named('flaky'));
  failedTests.push(...named('unexpected'));
  return { passed: json.stats.expected + json.stats.flaky, failed: json.stats.unexpected };
}

/** The first words of an error. */
const reasonOf = (...messages) => messages.join('\n').split('\n').slice(0, 3).join('\n      ');

function readTests(json) {
  for (const { name, status, message, assertionResults } of json.testResults) {
    const file = path.relative(root, name);
    const troubled = assertionResults.filter(({ failureMessages }) => failureMessages.length > 0);
    for (const test of troubled) {
      const told = `${file}: ${test.fullName}\n      ${reasonOf(...test.failureMessages)}`;
      (test.status === 'failed' ? failedTests : secondTries).push(told);
    }
    // Of a file that fell as a whole no test is told.
    if (status === 'failed' && !troubled.length) failedTests.push(`${file}\n      ${reasonOf(message)}`);
  }
  return {
    passed: json.numPassedTests,
    failed: json.numFailedTests + (json.numFailedTestSuites && !json.numFailedTests ? 1 : 0),
  };
}

async function postgresUrl() {
  if (process.env.TEST_DATABASE_URL) return process.env.TEST_DATABASE_URL;
  const { startPrivateCluster } = await import('./private-postgres.mjs');
  return startPrivateCluster();
}

installDependencies();
mkdirSync(results, { recursive: true });

await runInLanes([
  ['lock file', ['scripts/lint-lock.mjs']],
  // The longest first, so that both lanes end together.
  ['types', ['scripts/types.mjs']],
  ['supply chain', ['scripts/supply-chain.mjs']],
  ['format and lint', [bin('@biomejs/biome/bin/biome'), 'ci', '.']],
  ['borders', ['scripts/borders.mjs']],
  ['dead code', [bin('knip/bin/knip.js')]],
]);

const url = await postgresUrl();
if (url) env.TEST_DATABASE_URL = url;
else
  console.log(
    '\n** SKIPPED: PostgreSQL tests. No TEST_DATABASE_URL and no PostgreSQL server binaries on this machine. **',
  );
if (!env.MILKRUN_TEST_DATA) console.log('\n** SKIPPED: tests on real data files. MILKRUN_TEST_DATA is not set. **');

const vitestReport = path.join(results, 'vitest.json');
suite(
  'rules, calls and screens',
  [bin('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
  vitestReport,
  readTests,
);

check('build', run('build', ['scripts/build.mjs', '--force']));
check('size of the first screen', run('size of the first screen', ['scripts/first-screen-size.mjs']));

const chromium = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
if (existsSync(chromium)) {
  const report = path.join(results, 'journeys.json');
  env.PLAYWRIGHT_JSON_OUTPUT_NAME = report;
  env.CHROMIUM_PATH = chromium;
  suite(
    'journeys in a browser',
    [bin('@playwright/test/cli.js'), 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'],
    report,
    readJourneys,
  );
} else {
  console.log(`\n** SKIPPED: journeys in a browser. No Chromium at ${chromium}; install it or set CHROMIUM_PATH. **`);
}

for (const told of secondTries) console.log(`\n** Passed only when tried again: ${told} **`);
if (failures.length) console.log(`\nFailed: ${failures.join(', ')}`);
for (const told of failedTests) console.log(`   ${told}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed ? 1 : 0);
