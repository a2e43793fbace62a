// Unit tests of what computes and needs no browser, in Node.js. tests/dashboard has the rest.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    isolate: false, // One process for many files takes a fifth of the time.
    unstubGlobals: true,
    restoreMocks: true,
  },
});
