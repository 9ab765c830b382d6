// Who may import whom: domain <- contract <- web; server may use all but web; the optimiser imports nothing.
const workshops = '^(simulator|sandbox|bench|e2e)/';
const features = '^server/(?!http|db|testing|cli|live|scope|audit|settings|watch)([^/]+)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-imports-only-zod',
      severity: 'error',
      from: { path: '^domain/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(domain/|node_modules/zod/)' },
    },
    {
      name: 'contract-imports-domain-and-zod',
      severity: 'error',
      from: { path: '^contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(contract/|domain/|node_modules/zod/)' },
    },
    {
      name: 'optimizer-imports-nothing',
      severity: 'error',
      from: { path: '^optimizer/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^optimizer/' },
    },
    {
      name: 'simulator-imports-domain',
      severity: 'error',
      from: { path: '^simulator/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(simulator/|domain/)' },
    },
    {
      name: 'connectors-import-domain',
      comment: 'A connector speaks through what it is handed; parsers of formats are the only libraries.',
      severity: 'error',
      from: { path: '^connectors/', pathNot: '\\.test\\.ts$|^connectors/testing/' },
      to: { pathNot: '^(connectors/|domain/|node_modules/(zod|fast-xml-parser|csv-parse|fflate)/)' },
    },
    {
      name: 'connectors-know-not-each-other',
      severity: 'error',
      from: { path: '^connectors/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^connectors/([^/]+)/', pathNot: ['^connectors/$1/', '^connectors/(dex|lynx)/'] },
    },
    {
      name: 'dex-imports-nothing',
      severity: 'error',
      from: { path: '^connectors/dex/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^connectors/dex/' },
    },
    {
      name: 'connectors-by-their-door',
      severity: 'error',
      from: { path: '^server/', pathNot: '\\.test\\.ts$' },
      to: { path: '^connectors/', pathNot: '^connectors/(index|connector)\\.ts$|^connectors/(dex|nama-vdi)/' },
    },
    {
      name: 'sandbox-shares-nothing-with-connectors',
      comment: 'Shared code would hide the same mistake on both sides.',
      severity: 'error',
      from: { path: '^sandbox/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(sandbox/|simulator/|domain/time|node_modules/|node:)', dependencyTypesNot: ['core'] },
    },
    {
      name: 'web-knows-no-server',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(server|optimizer|connectors|simulator|sandbox|bench)/' },
    },
    { name: 'server-knows-no-web', severity: 'error', from: { path: '^server/' }, to: { path: '^web/' } },
    {
      name: 'workshops-are-not-imported',
      severity: 'error',
      from: { path: '^(domain|contract|optimizer|server|web)/', pathNot: '^server/(cli|demo)/|\\.test\\.tsx?$' },
      to: { path: workshops },
    },
    {
      name: 'optimizer-by-its-door',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^optimizer/', pathNot: '^optimizer/index\\.ts$' },
    },
    {
      name: 'features-by-their-door',
      comment: 'A feature uses service.ts of another, and may read its tables.',
      severity: 'error',
      from: { path: features, pathNot: '\\.test\\.ts$|^server/demo/' },
      to: {
        path: features,
        pathNot: ['^server/$1/', '^server/[^/]+/(service|tables|ledger-queries|ledger|payload-hash)\\.ts$'],
      },
    },
    {
      name: 'shared-folders-know-no-feature',
      severity: 'error',
      from: { path: '^server/(http|db)/', pathNot: '\\.test\\.ts$' },
      to: { path: features },
    },
    {
      name: 'what-runs-is-installed',
      comment:
        'The image has the dependencies only, and the bundle reads them from there: a devDependency would be missing.',
      severity: 'error',
      from: {
        path: '^(domain|contract|optimizer|connectors|simulator|sandbox|server)/',
        pathNot: '\\.test\\.ts$|^server/testing/|^server/[^/]+/testing/|/fixtures/',
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-kit-knows-no-feature',
      severity: 'error',
      from: { path: '^web/(ui|http|offline)/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^web/(?!ui|http|offline|styles)[^/]+/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'] },
  },
};
