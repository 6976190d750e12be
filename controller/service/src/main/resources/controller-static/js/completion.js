// SPDX-License-Identifier: Apache-2.0
// The list that completes what is typed into the editor: it shows while a name is typed, and by Ctrl+Space. Arrows choose, Enter takes what
// is chosen, Escape closes. Nothing is put in that was not chosen.
import {byId, html, show} from './html.js';

/** A line of the editor, pixels. */
const LINE = 20;

const MAX_SHOWN = 24;

/** Where something is expected, although nothing of it is typed yet. */
const EXPECTANT = /(:|[{,]) $|[{]$/;

export class Completion {

  /**
   * @param area the textarea
   * @param find gives the completions of a text at an offset; undefined without any
   */
  constructor(area, find) {
    Object.assign(this, {area, find, list: byId('completions'), said: byId('completion-state'), found: undefined, chosen: -1});
    area.addEventListener('input', typed => this.look(typed.inputType !== undefined, false));
    area.addEventListener('keydown', pressed => this.key(pressed));
    area.addEventListener('blur', () => this.close());
    area.addEventListener('click', () => this.close());
    area.addEventListener('scroll', () => { if (this.found) this.put(); });
    // The text keeps the focus.
    this.list.addEventListener('pointerdown', pressed => pressed.preventDefault());
    this.list.addEventListener('click', clicked => {
      const option = clicked.target.closest('[role=option]');
      if (option) this.take(Number(option.dataset.index));
    });
  }

  /**
   * Shows what can stand at the cursor.
   *
   * @param typed false when the text was set by a script
   * @param asked whether somebody asked for it
   */
  look(typed, asked) {
    const at = this.area.selectionStart;
    const found = typed && at === this.area.selectionEnd ? this.find(this.area.value, at) : undefined;
    if (!found || !asked && found.from === at && !EXPECTANT.test(this.area.value.slice(0, at))) return this.close();
    this.found = found;
    this.chosen = -1;
    this.draw();
    this.put();
    return undefined;
  }

  draw() {
    const items = this.found.items.slice(0, MAX_SHOWN);
    show(this.list, items.map((one, index) => html`<li role="option" id="completion-${index}" data-index="${index}" aria-selected="${index === this.chosen}"><strong>${one.text}</strong> <span class="faint">${one.about}</span></li>`));
    this.list.hidden = false;
    const count = this.found.items.length;
    this.said.textContent = (count === 1 ? '1 name or value fits' : count + ' names or values fit') + ': arrow down chooses, Enter takes it.';
    if (this.chosen < 0) this.area.removeAttribute('aria-activedescendant');
    else {
      this.area.setAttribute('aria-activedescendant', 'completion-' + this.chosen);
      this.list.children[this.chosen].scrollIntoView({block: 'nearest'});
    }
  }

  /** Puts the list below the cursor, within the editor's box. */
  put() {
    const before = this.area.value.slice(0, this.found.from);
    const row = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n') - 1;
    const box = this.area.getBoundingClientRect();
    const root = this.list.offsetParent.getBoundingClientRect();
    const style = getComputedStyle(this.area);
    const letter = document.createElement('canvas').getContext('2d');
    letter.font = style.font;
    const left = box.left - root.left + parseFloat(style.paddingLeft) + column * letter.measureText('0').width - this.area.scrollLeft;
    this.list.style.left = Math.max(0, Math.min(left, root.width - this.list.offsetWidth)) + 'px';
    this.list.style.top = box.top - root.top + parseFloat(style.paddingTop) + row * LINE - this.area.scrollTop + 'px';
  }

  close() {
    if (!this.found) return;
    this.found = undefined;
    this.list.hidden = true;
    this.said.textContent = '';
    this.area.removeAttribute('aria-activedescendant');
  }

  key(pressed) {
    if (pressed.key === ' ' && pressed.ctrlKey) {
      pressed.preventDefault();
      this.look(true, true);
      return;
    }
    if (!this.found) return;
    const count = Math.min(MAX_SHOWN, this.found.items.length);
    if (pressed.key === 'Escape') {
      pressed.preventDefault();
      this.close();
    } else if (pressed.key === 'ArrowDown' || pressed.key === 'ArrowUp') {
      pressed.preventDefault();
      this.chosen = pressed.key === 'ArrowDown' ? (this.chosen + 1) % count : (Math.max(this.chosen, 0) - 1 + count) % count;
      this.draw();
    } else if (pressed.key === 'Enter' && this.chosen >= 0) {
      pressed.preventDefault();
      this.take(this.chosen);
    } else if (['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'].includes(pressed.key)) {
      this.close();
    }
  }

  take(index) {
    const {from, items} = this.found;
    this.area.focus();
    this.area.setSelectionRange(from, this.area.selectionEnd);
    this.close();
    // By this order it can be undone like what was typed; it has no other way, and every browser has it.
    if (!document.execCommand('insertText', false, items[index].insert)) this.area.setRangeText(items[index].insert, from, this.area.selectionEnd, 'end');
    this.look(true, false);
  }
}
