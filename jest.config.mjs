// Tests run as ES modules, compiled one file at a time by swc.
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test', '<rootDir>/evals', '<rootDir>/bench'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'es6' } }],
  },
  testSequencer: '<rootDir>/jest.sequencer.mjs',
  moduleNameMapper: { '^fast-check$': '<rootDir>/jest.fast-check.mjs' },
  // What a test needs on a machine of its own, many times over: the cores are shared with the processes that tests start.
  testTimeout: 120_000,
  // Two more than the cores that CI has: many tests wait for processes, and for times of recovery.
  maxWorkers: 4,
}
