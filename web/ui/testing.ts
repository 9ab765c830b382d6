import { configure } from '@testing-library/react';

// A query that waits ends as soon as it finds; on a busy machine one second is not enough for a whole screen.
configure({ asyncUtilTimeout: 30_000 });
