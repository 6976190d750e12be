// SPDX-License-Identifier: Apache-2.0
// A text with line numbers, in which mistakes are marked at their lines.
const LINE = 20;

const TOP = 8;

export class Editor {

  /** @param root holds a gutter with marks and numbers, and a textarea */
  constructor(root) {
    this.area = root.querySelector('textarea');
    this.gutter = root.querySelector('.gutter');
    this.numbers = root.querySelector('.numbers');
    this.marked = root.querySelector('.marks');
    this.lines = 0;
    this.area.addEventListener('input', () => this.number());
    this.area.addEventListener('scroll', () => { this.gutter.scrollTop = this.area.scrollTop; });
    this.number();
  }

  get text() { return this.area.value; }

  set text(value) {
    this.area.value = value;
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.number();
  }

  number() {
    let count = 1;
    for (let at = this.area.value.indexOf('\n'); at >= 0; at = this.area.value.indexOf('\n', at + 1)) count++;
    if (count === this.lines) return;
    this.lines = count;
    this.numbers.textContent = Array.from({length: count}, (_, index) => index + 1).join('\n') + '\n\n\n';
    this.gutter.scrollTop = this.area.scrollTop;
  }

  /** Marks lines, from 1 on. */
  mark(lines) {
    this.area.setAttribute('aria-invalid', String(lines.length > 0));
    this.marked.replaceChildren(...[...new Set(lines)].slice(0, 500).map(line => {
      const mark = document.createElement('span');
      mark.style.top = TOP + (line - 1) * LINE + 'px';
      return mark;
    }));
  }

  /** Puts the cursor at a line and column, from 1 on. */
  go(line, column) {
    const value = this.area.value;
    let begin = 0;
    for (let number = 1; number < line && begin >= 0; number++) begin = value.indexOf('\n', begin) + 1 || -1;
    if (begin < 0) begin = value.length;
    const end = value.indexOf('\n', begin) < 0 ? value.length : value.indexOf('\n', begin);
    const at = Math.min(end, begin + Math.max(0, column - 1));
    this.area.focus();
    this.area.setSelectionRange(at, Math.max(at, Math.min(end, at + (/^\S+/.exec(value.slice(at, end)) || [''])[0].length)));
    this.area.scrollTop = Math.max(0, (line - 1) * LINE - this.area.clientHeight / 2);
    this.area.scrollLeft = 0;
  }
}
