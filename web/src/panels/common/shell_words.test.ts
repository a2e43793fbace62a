import { expect, test } from 'vitest';

import { shellCommand, shellWord } from './shell_words';

test('plain words stay as they are', () => {
  expect(shellCommand('warden', 'tensorboard', '/runs/train-1')).toBe(
    'warden tensorboard /runs/train-1',
  );
});

test('anything a shell would read otherwise is quoted', () => {
  expect(shellWord('my run; rm -rf $HOME')).toBe("'my run; rm -rf $HOME'");
  expect(shellWord("it's")).toBe("'it'\\''s'");
  expect(shellWord('')).toBe("''");
});
