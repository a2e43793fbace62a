import { describe, expect, test } from 'vitest';
import { plainLine } from './plain_line';

describe('plainLine', () => {
  test.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b[1;32;40mgreen\u001b[K', 'green'],
    ['10 %\r50 %\r100 %', '100 %'],
    ['Windows\r', 'Windows'],
    ['both\r100 %\r\r', '100 %'],
    ['a\tb', 'a\tb'],
    ['bell\u0007', 'bell\ufffd'],
    ['\u001b]0;title\u0007after', 'after'],
    ['\u001b]8;;http://x\u001b\\link', 'link'],
    ['<b>', '<b>'],
    ['', ''],
  ])('%j: %j', (text, plain) => {
    expect(plainLine(text)).toBe(plain);
  });
});
