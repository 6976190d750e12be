// SPDX-License-Identifier: Apache-2.0
// The strip that stays on a run's page: what is going on, who is hurt, the one Stop, and the proof afterwards.
import {ApiError, GOING_ON, send, wordsOf} from './api.js';
import {now} from './clock.js';
import {duration, number, percent, time} from './format.js';
import {byId, html, known, show} from './html.js';
import {shortcut, whoIsLooking} from './shell.js';

const MEASURED = ['MEASURED', 'MEASURED_AFTER_EXPIRY'];

/** Milliseconds for the controller to answer a stop. */
const ANSWER = 3000;

/** Milliseconds for something to follow a stop, before it can be pressed again. */
const STOP_TIMEOUT = 5000;

const AFTERWARDS = {
  NATURAL: {word: 'restored', icon: '✔', tone: 'good', words: 'Traffic is natural.'},
  NOT_NATURAL: {word: 'NOT restored', icon: '✖', tone: 'bad', words: 'Traffic is not natural.'},
  UNKNOWN: {word: 'not known whether restored', icon: '?', tone: 'warn', words: 'Nothing has measured the share since.'},
};

const UNMEASURED = {word: 'restored, not measured', icon: '?', tone: 'warn', words: 'Every proxy acknowledged the natural share.'};

const measured = run => Boolean(run.restore && MEASURED.includes(run.restore.proof));

const LOWERING = {word: 'lowering', icon: '↓', tone: 'warn', words: 'Traffic goes back to its natural share.'};

const PAUSED = {NATURAL: {word: 'paused', icon: '⏸', tone: 'good', words: 'Traffic is natural.'}, GOING_BACK: LOWERING, NOT_NATURAL: AFTERWARDS.NOT_NATURAL};

const SEARCHING = {
  Baseline: {word: 'testing', icon: '▶', tone: 'active', words: 'Measured at its natural share first.'},
  Ramping: {word: 'testing', icon: '▲', tone: 'active', words: 'The load is raised toward the limit.'},
  Confirming: {word: 'holding', icon: '■', tone: 'active', words: 'The load is held near the limit that was found.'},
};

/** Seconds as 4:59 or 1:04:59: of one width, so that nothing moves while they count. */
function clock(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(String);
  return (hours === '0' ? minutes : hours + ':' + minutes.padStart(2, '0')) + ':' + rest.padStart(2, '0');
}

/** State of a run in plain words. */
function stateOf(run, window) {
  switch (run.phase) {
    case 'Pending': return {word: 'waiting', icon: '…', tone: '', words: 'Nothing is moved.'};
    case 'Preparing': return {word: 'preparing', icon: '…', tone: '', words: 'Traffic is at its natural share.'};
    case 'Paused': return run.pause ? PAUSED[run.pause.traffic] : LOWERING;
    case 'Restoring': return LOWERING;
    case 'Finished':
      if (run.restore && run.restore.proof === 'NOT_NEEDED') return {...AFTERWARDS.NATURAL, words: 'No traffic was moved.'};
      if (run.restore && run.restore.traffic === 'NATURAL' && !measured(run)) return UNMEASURED;
      return AFTERWARDS[run.restore ? run.restore.traffic : 'UNKNOWN'];
    default:
      // A share that follows the traffic goes up and down; a load that is given up is another thing.
      return window && (window.advice.action === 'SHED' || run.askedShare <= run.naturalShare && window.shareAsked > 1.05 * run.naturalShare)
        ? {...LOWERING, words: 'The load goes down; the search goes on.'} : SEARCHING[run.phase];
  }
}

/** A bar from nothing to the cap: filled to the share that arrives, with marks at the natural share and at the cap. */
function gauge({naturalShare, maxShare}, share) {
  const full = Math.max(naturalShare, maxShare, share || 0) * 1.04;
  const at = value => (value / full * 100).toFixed(2);
  const mark = (value, name) => html`<line class="${name}" x1="${at(value)}" x2="${at(value)}" y1="0" y2="10" vector-effect="non-scaling-stroke"/>`;
  return html`<svg class="share-gauge" viewBox="0 0 100 10" preserveAspectRatio="none" role="img"
    aria-label="Share: natural ${percent(naturalShare)}, now ${known(share) ? percent(share) : 'not measured'}, at most ${percent(maxShare)}">
    <rect class="track" x="0" y="2" width="${at(maxShare)}" height="6"/>${known(share) ? html`<rect class="now" x="0" y="2" width="${at(share)}" height="6"/>` : ''}
    ${mark(naturalShare, 'natural')}${mark(maxShare, 'cap')}</svg>`;
}

/** Requests that break the SLA now, at the SUT, and as many as would at its peers' rate. */
function failing(window) {
  if (!window || window.judgement === 'INCONCLUSIVE') return html`<span class="warn">unknown</span>`;
  const a = requests => number(requests / window.lengthSeconds) + '/s';
  const peers = window.brokenAtPeersRate;
  const tone = !window.brokenRequests ? 'good' : window.brokenRequests > (peers || 0) ? 'bad' : 'warn';
  return html`<strong class="${tone}">${a(window.brokenRequests)}</strong> SUT, <span class="peers">${known(peers) ? html`${a(peers)} peers` : 'peers unknown'}</span>`;
}

function facts(run, window) {
  const over = run.phase === 'Finished';
  const share = window && known(window.shareMeasured) ? percent(window.shareMeasured) : 'not measured';
  const passed = (over ? new Date(run.finishedAt) : now()) - new Date(run.submittedAt);
  const left = run.limit && !over ? Math.max(0, Math.round((new Date(run.limit.at) - now()) / 1000)) : undefined;
  const seconds = Math.max(0, Math.round(passed / 1000));
  const first = [['Natural', percent(run.naturalShare)], [over ? 'Last share' : 'Now', share], ['At most', percent(run.maxShare)], [over ? 'Took' : 'Elapsed', clock(seconds)]];
  return over ? [...first, ['Harm by the test', number(run.harm.requests)], ['Harm anyway', known(run.harm.anyway) ? number(run.harm.anyway) : 'unknown']]
    : [...first, ['Left at most', left === undefined ? '–' : clock(left)], ['Failing now', failing(window)]];
}

/** What is known of the traffic after a run. */
function proof(run, after) {
  const {traffic, proof: how, detail} = run.restore;
  const natural = percent(run.naturalShare);
  const details = html` <span class="faint">${detail}</span>`;
  if (traffic === 'NOT_NATURAL') return html`<strong class="bad">TRAFFIC IS NOT NATURAL:</strong> ${detail}.`;
  if (traffic === 'UNKNOWN') return html`<strong class="warn">It is not known whether traffic is natural:</strong> ${detail}.`;
  if (how === 'NOT_NEEDED') return html`No traffic was moved.`;
  const what = measured(run) ? html`<strong class="good">Restored:</strong> measured as natural (${natural})`
    : html`<strong class="warn">Restored, not measured:</strong> every proxy acknowledged the natural share, ${natural},`;
  return html`${what} at ${time(run.finishedAt)}${known(after) ? html`, ${duration(Math.max(0, after))} after you pressed` : ''}.${details}`;
}

export class Strip {

  /**
   * @param path of the run
   * @param done is called when the controller has taken the stop
   */
  constructor(path, done) {
    this.path = path;
    this.done = done;
    this.said = {};
    this.run = null;
    this.pressed = null;
    byId('stop').addEventListener('click', () => this.stop());
    byId('why').addEventListener('submit', submitted => this.explain(submitted));
    shortcut('s', 'stop this run', () => this.stop());
    // What has the focus, or is jumped to, is not behind the strip, and the strip is not behind the bar.
    const measure = () => {
      const bar = getComputedStyle(document.querySelector('.bar')).position === 'sticky' ? document.querySelector('.bar').offsetHeight : 0;
      document.documentElement.style.setProperty('--bar-height', bar + 'px');
      document.documentElement.style.scrollPaddingTop = bar + byId('strip').offsetHeight + 8 + 'px';
    };
    new ResizeObserver(measure).observe(byId('strip'));
    new ResizeObserver(measure).observe(document.querySelector('.bar'));
  }

  /** Paints a part when it is another than before. */
  put(name, markup) {
    const text = String(markup);
    if (this.said[name] === text) return;
    this.said[name] = text;
    show(byId(name), markup);
  }

  /**
   * Shows a run as it is known now.
   *
   * @param old why what is known is not what is now; empty when it is
   */
  draw(run, window, old) {
    this.run = run;
    const over = run.phase === 'Finished';
    const state = stateOf(run, window);
    this.put('strip-state', old && !over ? html`<span class="state warn"><span aria-hidden="true">?</span> not known</span> <span class="state-words">It was ${state.word}. ${old}</span>`
      : html`<span class="state ${state.tone}"><span aria-hidden="true">${state.icon}</span> ${state.word}</span> <span class="state-words">${state.words}</span>`);
    this.put('strip-share', gauge(run, window && (!over || measured(run)) ? window.shareMeasured : undefined));
    this.put('strip-facts', facts(run, window).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`));
    byId('strip-sut').textContent = run.sut;
    byId('strip').dataset.tone = old && !over ? 'warn' : state.tone;
    byId('strip').classList.toggle('old', Boolean(old) && !over);
    this.offer();
  }

  /** Shows that nothing is known of the run. It can be stopped all the same. */
  unknown() {
    this.put('strip-state', html`<span class="state warn"><span aria-hidden="true">?</span> not known</span> <span class="state-words">${GOING_ON}</span>`);
    byId('strip').dataset.tone = 'warn';
    this.offer();
  }

  /** Offers Stop where it is of use, and says what became of the last one. */
  offer() {
    const over = this.run && this.run.phase === 'Finished';
    const lowering = this.run && this.run.phase === 'Restoring';
    byId('stop').hidden = Boolean(over || lowering || this.pressed && performance.now() < this.pressed.until);
    if (over || lowering) byId('stop-problem').textContent = '';
    this.put('proof', over && this.run.restore ? proof(this.run, this.after()) : this.pressed && !over ? this.followed(lowering) : html``);
  }

  /** What is known to have followed a stop. */
  followed(lowering) {
    const at = time(this.pressed.at);
    if (lowering) return html`You pressed Stop at ${at}. Traffic goes back to natural, ${percent(this.run.naturalShare)}; it is not measured yet.`;
    if (!this.pressed.taken) return html`Stop is being sent; nothing has confirmed it yet.`;
    if (performance.now() < this.pressed.until) return html`You pressed Stop at ${at}. The controller has taken it.`;
    return html`<strong class="warn">You pressed Stop at ${at}, and nothing says yet that traffic goes back.</strong> Press again${this.elsewhere()}`;
  }

  /** Where a stop is taken when the API is not in reach. */
  elsewhere() {
    const caller = whoIsLooking();
    return caller && caller.emergencyPort ? `, or POST /api/v1${this.path}:abort at the controller's port ${caller.emergencyPort}.` : '.';
  }

  /** Takes the instant at which the controller decided to restore traffic, when it is received. */
  restoringSince(instant) {
    if (this.lowered) return;
    this.lowered = new Date(instant);
    if (this.pressed) this.pressed.delay = (performance.now() - this.pressed.began) / 1000;
  }

  /** Seconds from the key to the end: to the decision on this clock, and from there on the controller's; undefined when not known. */
  after() {
    return this.pressed && known(this.pressed.delay) ? (new Date(this.run.finishedAt) - this.lowered) / 1000 + this.pressed.delay : undefined;
  }

  /** Stops at once; the reason can be given afterwards. */
  async stop() {
    if (byId('stop').hidden || this.pressed && !this.pressed.taken) return;
    const began = performance.now();
    this.pressed = {at: new Date(now()).toISOString(), began, ...this.pressed, taken: false, until: began + STOP_TIMEOUT};
    byId('stop-problem').textContent = '';
    this.offer();
    try {
      await send('POST', this.path + ':abort', {}, {}, AbortSignal.timeout(ANSWER));
      Object.assign(this.pressed, {taken: true, until: performance.now() + STOP_TIMEOUT});
      byId('why').hidden = false;
      this.offer();
      this.done();
    } catch (failure) {
      this.pressed = null;
      this.offer();
      if (byId('stop').hidden) return;
      byId('stop-problem').textContent = failure instanceof ApiError ? 'NOT stopped. ' + failure.message
        : 'It is not known whether Stop arrived: the controller did not answer. Press again' + this.elsewhere();
      byId('stop').focus();
    }
  }

  async explain(submitted) {
    submitted.preventDefault();
    const field = byId('why-reason');
    const reason = field.value.trim();
    if (!reason) return;
    byId('why-state').textContent = '';
    try {
      await send('POST', this.path + ':explain', {reason});
      byId('why-state').className = 'good';
      byId('why-state').textContent = 'The audit log has it.';
    } catch (failure) {
      byId('why-state').className = 'problem';
      byId('why-state').textContent = wordsOf(failure);
    }
  }
}
