import fc from 'fast-check';

// A run meets the same values each time, so that a change is judged by what it changed; the long run looks for new ones. A test
// that fails is tried once more, for the sake of busy machines: it meets the same values then, or the second try would only
// have been luckier.
const known = fc.readConfigureGlobal();
const seed = process.env.MILKRUN_LONG === '1' ? Date.now() | 0 : 20_260_101;
if (known.seed === undefined) fc.configureGlobal({ ...known, seed });
