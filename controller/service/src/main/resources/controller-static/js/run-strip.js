// SPDX-License-Identifier: Apache-2.0
// The strip that stays on a run's page: what is going on, who is hurt, the one Stop, and the proof afterwards.
import {GOING_ON} from './api.js';
import {now} from './clock.js';
import {number, percent} from './format.js';
import {byId, html, known, showChanged} from './html.js';
import {clock, failing, gauge, left, measured, stateOf, stateWords} from './run-state.js';
import {Stop} from './run-stop.js';
import {shortcut} from './shell.js';

function facts(run, window) {
  const over = run.phase === 'Finished';
  const share = window && known(window.shareMeasured) ? percent(window.shareMeasured) : 'not measured';
  const passed = (over ? new Date(run.finishedAt) : now()) - new Date(run.submittedAt);
  const seconds = Math.max(0, Math.round(passed / 1000));
  const first = [['Natural', percent(run.naturalShare)], [over ? 'Last share' : 'Now', share], ['At most', percent(run.maxShare)], [over ? 'Took' : 'Elapsed', clock(seconds)]];
  return over ? [...first, ['Harm by the test', number(run.harm.requests)], ['Harm anyway', known(run.harm.anyway) ? number(run.harm.anyway) : 'unknown']]
    : [...first, ['Left at most', left(run.limit && run.limit.at, now())], ['Failing now', failing(window)]];
}

export class Strip {

  /**
   * @param path of the run
   * @param done is called when the controller has taken the stop
   */
  constructor(path, done) {
    this.stop = new Stop(path, {button: byId('stop'), problem: byId('stop-problem'), proof: byId('proof'), why: byId('why')}, done);
    shortcut('s', 'stop this run', () => this.stop.press());
    // What has the focus, or is jumped to, is not behind the strip, and the strip is not behind the bar.
    const measure = () => {
      const bar = getComputedStyle(document.querySelector('.bar')).position === 'sticky' ? document.querySelector('.bar').offsetHeight : 0;
      document.documentElement.style.setProperty('--bar-height', bar + 'px');
      const covered = bar + byId('strip').offsetHeight + 8 + 'px';
      document.documentElement.style.scrollPaddingTop = covered;
      document.documentElement.style.setProperty('--covered', covered);
    };
    new ResizeObserver(measure).observe(byId('strip'));
    new ResizeObserver(measure).observe(document.querySelector('.bar'));
  }

  /**
   * Shows a run as it is known now.
   *
   * @param old why what is known is not what is now; empty when it is
   */
  draw(run, window, old) {
    const over = run.phase === 'Finished';
    const state = stateOf(run, window);
    const unknown = over ? '' : old;
    showChanged(byId('strip-state'), stateWords(state, unknown));
    showChanged(byId('strip-share'), gauge(run, window && (!over || measured(run)) ? window.shareMeasured : undefined));
    showChanged(byId('strip-facts'), facts(run, window).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`));
    byId('strip-sut').textContent = run.sut;
    byId('strip').dataset.tone = unknown ? 'warn' : state.tone;
    byId('strip').classList.toggle('old', Boolean(unknown));
    this.stop.offer(run);
  }

  /** Shows that nothing is known of the run. It can be stopped all the same. */
  unknown() {
    showChanged(byId('strip-state'), stateWords(null, GOING_ON));
    byId('strip').dataset.tone = 'warn';
    this.stop.offer(null);
  }
}
