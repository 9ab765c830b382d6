import fc from 'fast-check';

// A test that fails is tried once more, for the sake of busy machines: a property meets the same values then, or the second
// try would only have been luckier.
const known = fc.readConfigureGlobal();
if (known.seed === undefined) fc.configureGlobal({ ...known, seed: Date.now() | 0 });
