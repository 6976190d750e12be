// SPDX-License-Identifier: Apache-2.0
// The decisions of a run: the newest, older ones when somebody wants them, and each with what it was made from.
import {ApiError, get, GOING_ON, wordsOf} from './api.js';
import {byId, html, show} from './html.js';
import {fillMeters} from './meter.js';
import * as tell from './runwords.js';

/** Shown at first, and more each time that older ones are asked for: a run of hours has thousands. */
const PAGE = 50;

const AGAIN = 3000;

export class Decisions {

  /**
   * @param path of the run
   * @param missing is called when the controller knows no such run
   */
  constructor(path, missing) {
    this.path = path + '/decisions';
    this.missing = missing;
    this.closed = false;
    this.shown = 0;
    this.wanted = 0;
    this.shownUpTo = null;
    this.before = undefined;
    byId('decisions').addEventListener('toggle', toggled => this.open(toggled.target), true);
    byId('older').addEventListener('click', () => this.more());
  }

  /** Shows those up to a sequence of the journal that are not shown yet: at first the newest, then all that came since. */
  async look(upTo) {
    this.wanted = Math.max(this.wanted, upTo);
    if (this.reading || this.closed) return;
    this.reading = true;
    try {
      while (this.shownUpTo === null || this.shownUpTo < this.wanted) {
        const goal = this.wanted;
        await (this.shownUpTo === null ? this.older(goal + 1) : this.newer());
        // Newer ones may have come with the last page.
        this.shownUpTo = Math.max(this.shownUpTo ?? 0, goal);
      }
      byId('decisions-state').textContent = 'Nothing was decided yet.';
    } catch (failure) {
      byId('decisions-state').textContent = wordsOf(failure, GOING_ON);
      if (failure.status === 404) this.missing();
      if (!(failure instanceof ApiError)) setTimeout(() => this.look(upTo), AGAIN);
    } finally {
      this.reading = false;
      byId('decisions-state').hidden = this.shown > 0;
    }
  }

  /** Asks for nothing any more. */
  close() {
    this.closed = true;
  }

  async newer() {
    let after = this.shownUpTo;
    while (after !== undefined) {
      const page = await get(`${this.path}?limit=200&after=${after}`);
      for (const one of page.items) {
        this.put(one, place => byId('decisions').prepend(place));
        this.shownUpTo = one.sequence;
      }
      after = page.nextAfter;
    }
    this.count();
  }

  /** Goes on until there is something to show: most of the journal changes nothing. */
  async older(before) {
    this.before = before;
    let found = 0;
    while (this.before !== undefined && !found) {
      const page = await get(`${this.path}?limit=${PAGE}&before=${this.before}`);
      for (const one of page.items) this.put(one, place => byId('decisions').append(place));
      found = page.items.length;
      this.before = page.nextBefore;
    }
    this.count();
  }

  async more() {
    byId('older').disabled = true;
    byId('older-problem').textContent = '';
    try {
      await this.older(this.before);
    } catch (failure) {
      byId('older-problem').textContent = wordsOf(failure);
    } finally {
      byId('older').disabled = false;
    }
  }

  put(one, where) {
    const place = document.createElement('template');
    show(place, tell.decision(one));
    where(place.content);
    this.shown++;
  }

  count() {
    const all = this.before === undefined;
    byId('older').hidden = all;
    byId('decision-count').textContent = (all ? '' : 'newest ') + (this.shown || '');
  }

  async open(opened) {
    if (!opened.open || !opened.dataset.sequence || opened.dataset.filled) return;
    const place = opened.querySelector('.inputs');
    try {
      show(place, tell.inputs(await get(this.path + '/' + opened.dataset.sequence)));
      fillMeters(place);
      opened.dataset.filled = 'yes';
    } catch (failure) {
      show(place, html`<p class="problem" role="alert">${wordsOf(failure, 'Open it again.')}</p>`);
    }
  }
}
