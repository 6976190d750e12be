// SPDX-License-Identifier: Apache-2.0
// What differs between two texts, line by line.
const MOST = 4_000_000;

/**
 * The lines of both, in order: [sign, text] with sign ' ', '-' (only before) or '+' (only after).
 *
 * @returns null when they are too long and too different to compare
 */
export function diff(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const [a, b] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  if (a.length * b.length > MOST) return null;
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const lines = old.slice(0, head).map(text => [' ', text]);
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push([' ', a[i++]]);
      j++;
    } else if (i < a.length && (j === b.length || longest[(i + 1) * width + j] >= longest[i * width + j + 1])) {
      lines.push(['-', a[i++]]);
    } else {
      lines.push(['+', b[j++]]);
    }
  }
  return [...lines, ...old.slice(old.length - tail).map(text => [' ', text])];
}
