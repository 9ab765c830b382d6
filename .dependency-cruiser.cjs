// Who may import whom: domain <- contract <- web; server may use all but web; the optimiser imports nothing.
const workshops = '^(simulator|sandbox|bench|e2e)/';
const features = '^server/(?!http|db|testing|cli|live|scope|audit|settings)([^/]+)/';

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
      name: 'web-knows-no-server',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(server|optimizer|simulator|bench)/' },
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
