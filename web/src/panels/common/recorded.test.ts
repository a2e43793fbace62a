import { describe, expect, test } from 'vitest';
import type { RunFacts } from '../../api/types';
import { changesOf, recorded } from './recorded';

describe('recorded', () => {
  const facts: RunFacts = {
    hyper_parameters: {},
    command: ['python', 'train.py'],
    git: {
      commit: '0123456789abcdef',
      branch: 'main',
      dirty: true,
      diff: 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\n+new\n+more\n',
      diff_cut: false,
    },
    python: { version: '3.11.2', program: 'python', packages: {} },
    machine: { host: 'h', system: 'Linux', cpu: 'X', cores: 2, memory: 2 ** 33, gpus: [] },
  };

  test('names and values', () => {
    expect(recorded(facts)).toEqual({
      Command: 'python train.py',
      'Git commit': '0123456789ab with changes',
      'Git branch': 'main',
      Python: '3.11.2',
      Host: 'h',
      System: 'Linux',
      CPU: 'X (2 cores)',
      Memory: '8 GiB',
      GPUs: 'none',
    });
  });

  test('what was changed since the commit', () => {
    expect(changesOf(facts)).toEqual({
      words: '1 file, 2 lines added, 1 removed',
      diff: facts.git?.diff,
    });
    const clean = { commit: 'a', branch: '', dirty: false, diff: '', diff_cut: false };
    expect(changesOf({ ...facts, git: clean })).toEqual({ words: 'none', diff: '' });
    const git = { commit: 'a', branch: '', dirty: true, diff: '+x', diff_cut: true };
    expect(changesOf({ ...facts, git })?.words).toBe(
      'the beginning of them: 0 files, 1 line added, 0 removed',
    );
  });

  test('nothing was recorded', () => {
    expect(recorded({ hyper_parameters: {} })).toEqual({});
    expect(recorded(undefined)).toEqual({});
    expect(changesOf(undefined)).toBeNull();
    expect(changesOf({ hyper_parameters: {} })).toBeNull();
  });
});
