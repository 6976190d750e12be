// SPDX-License-Identifier: Apache-2.0
// The one Stop of a run, and the proof afterwards: on its page and on its card.
import {ApiError, send, sentence, wordsOf} from './api.js';
import {now} from './clock.js';
import {duration, percent, time} from './format.js';
import {html, known, showChanged} from './html.js';
import {measured} from './run-state.js';
import {whoIsLooking} from './shell.js';

/** Milliseconds for the controller to answer a stop. */
const ANSWER = 3000;

/** Milliseconds for something to follow a stop, before it can be pressed again. */
const STOP_TIMEOUT = 5000;

/** What is known of the traffic after a run. */
function proven(run, after) {
  const {traffic, proof: how, detail} = run.restore;
  const natural = percent(run.naturalShare);
  const details = html` <span class="faint">${sentence(detail)}</span>`;
  if (traffic === 'NOT_NATURAL') return html`<strong class="bad">TRAFFIC IS NOT NATURAL:</strong> ${detail}.`;
  if (traffic === 'UNKNOWN') return html`<strong class="warn">It is not known whether traffic is natural:</strong> ${detail}.`;
  if (how === 'NOT_NEEDED') return html`No traffic was moved.`;
  const what = measured(run) ? html`<strong class="good">Restored:</strong> measured as natural (${natural})`
    : html`<strong class="warn">Restored, not measured:</strong> every proxy acknowledged the natural share, ${natural},`;
  return html`${what} at ${time(run.finishedAt)}${known(after) ? html`, ${duration(Math.max(0, after))} after you pressed` : ''}.${details}`;
}

export class Stop {

  /**
   * @param path of the run
   * @param parts elements: the button, what went wrong, the proof, and the form for why
   * @param done is called when the controller has taken the stop
   */
  constructor(path, {button, problem, proof, why}, done) {
    Object.assign(this, {path, button, problem, proof, why, done});
    this.run = null;
    this.pressed = null;
    this.everPressed = false;
    button.addEventListener('click', () => this.press());
    why.addEventListener('submit', submitted => this.explain(submitted));
  }

  /**
   * Offers Stop where it is of use, and says what became of the last one.
   *
   * @param run as it is known now; null when it is not
   */
  offer(run) {
    this.run = run;
    const over = this.run && this.run.phase === 'Finished';
    const lowering = this.run && this.run.phase === 'Restoring';
    this.button.hidden = Boolean(over || lowering || this.pressed && performance.now() < this.pressed.until);
    if (over || lowering) this.problem.textContent = '';
    showChanged(this.proof, over && this.run.restore ? proven(this.run, this.after()) : this.pressed && !over ? this.followed(lowering) : html``);
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

  /** Takes an instant of the controller's clock as it is received, at best the one at which it decided to restore traffic. */
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
  async press() {
    if (this.button.hidden || this.pressed && !this.pressed.taken) return;
    this.everPressed = true;
    const began = performance.now();
    this.pressed = {at: new Date(now()).toISOString(), began, ...this.pressed, taken: false, until: began + STOP_TIMEOUT};
    this.problem.textContent = '';
    this.offer(this.run);
    try {
      await send('POST', this.path + ':abort', {}, {}, AbortSignal.timeout(ANSWER));
      Object.assign(this.pressed, {taken: true, until: performance.now() + STOP_TIMEOUT});
      this.why.hidden = false;
      this.offer(this.run);
      this.done();
    } catch (failure) {
      this.pressed = null;
      this.offer(this.run);
      if (this.button.hidden) return;
      this.problem.textContent = failure instanceof ApiError ? 'NOT stopped. ' + failure.message
        : 'It is not known whether Stop arrived: the controller did not answer. Press again' + this.elsewhere();
      this.button.focus();
    }
  }

  async explain(submitted) {
    submitted.preventDefault();
    const state = this.why.querySelector('[role=status]');
    const reason = this.why.querySelector('input').value.trim();
    if (!reason) return;
    state.textContent = '';
    try {
      await send('POST', this.path + ':explain', {reason});
      state.className = 'good';
      state.textContent = 'The audit log has it.';
    } catch (failure) {
      state.className = 'problem';
      state.textContent = wordsOf(failure);
    }
  }
}
