// SPDX-License-Identifier: Apache-2.0
// The state of a run in plain words, its share and who is hurt: on its page and on its card.
import {number, percent, time} from './format.js';
import {html, known} from './html.js';

const MEASURED = ['MEASURED', 'MEASURED_AFTER_EXPIRY'];

const AFTERWARDS = {
  NATURAL: {word: 'restored', icon: '✔', tone: 'good', words: 'Traffic is natural.'},
  NOT_NATURAL: {word: 'NOT restored', icon: '✖', tone: 'bad', words: 'Traffic is not natural.'},
  UNKNOWN: {word: 'not known whether restored', icon: '?', tone: 'warn', words: 'Nothing has measured the share since.'},
};

const UNMEASURED = {word: 'restored, not measured', icon: '?', tone: 'warn', words: 'Every proxy acknowledged the natural share.'};

/** Whether a proxy was seen to spread the traffic naturally after a run. */
export const measured = run => Boolean(run.restore && MEASURED.includes(run.restore.proof));

const LOWERING = {word: 'lowering', icon: '↓', tone: 'warn', words: 'Traffic goes back to its natural share.'};

const PAUSED = {NATURAL: {word: 'paused', icon: '⏸', tone: 'good', words: 'Traffic is natural.'}, GOING_BACK: LOWERING, NOT_NATURAL: AFTERWARDS.NOT_NATURAL};

const SEARCHING = {
  Baseline: {word: 'testing', icon: '▶', tone: 'active', words: 'Measured at its natural share first.'},
  Ramping: {word: 'testing', icon: '▲', tone: 'active', words: 'The load is raised toward the limit.'},
  Confirming: {word: 'holding', icon: '■', tone: 'active', words: 'The load is held to confirm the answer.'},
};

/** Seconds as 4:59 or 1:04:59: of one width, so that nothing moves while they count. */
export function clock(seconds) {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(String);
  return (hours === '0' ? minutes : hours + ':' + minutes.padStart(2, '0')) + ':' + rest.padStart(2, '0');
}

/** State of a run in plain words. */
export function stateOf(run, window) {
  switch (run.phase) {
    case 'Pending': return {word: 'waiting', icon: '…', tone: '', words: run.approval
      ? html`For an approval by somebody other than <bdi>${run.approval.submittedBy}</bdi>, until ${time(run.approval.until)}. Nothing is moved.` : 'Nothing is moved.'};
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
export function gauge({naturalShare, maxShare}, share) {
  const full = Math.max(naturalShare, maxShare, share || 0) * 1.04;
  const at = value => (value / full * 100).toFixed(2);
  const mark = (value, name) => html`<line class="${name}" x1="${at(value)}" x2="${at(value)}" y1="0" y2="10" vector-effect="non-scaling-stroke"/>`;
  return html`<svg class="share-gauge" viewBox="0 0 100 10" preserveAspectRatio="none" role="img"
    aria-label="Share: natural ${percent(naturalShare)}, now ${known(share) ? percent(share) : 'not measured'}, at most ${percent(maxShare)}">
    <rect class="track" x="0" y="2" width="${at(maxShare)}" height="6"/>${known(share) ? html`<rect class="now" x="0" y="2" width="${at(share)}" height="6"/>` : ''}
    ${mark(naturalShare, 'natural')}${mark(maxShare, 'cap')}</svg>`;
}

/** Requests that break the SLA now, at the SUT, and as many as would at its peers' rate. */
export function failing(window) {
  if (!window || window.judgement === 'INCONCLUSIVE') return html`<span class="warn">unknown</span>`;
  const a = requests => number(requests / window.lengthSeconds) + '/s';
  const peers = window.brokenAtPeersRate;
  const tone = !window.brokenRequests ? 'good' : window.brokenRequests > (peers || 0) ? 'bad' : 'warn';
  return html`<strong class="${tone}">${a(window.brokenRequests)}</strong> SUT, <span class="peers">${known(peers) ? html`${a(peers)} peers` : 'peers unknown'}</span>`;
}

/**
 * A state in plain words.
 *
 * @param old why what is known is not what is now; empty when it is
 */
export const stateWords = (state, old) => old ? html`<span class="state warn"><span aria-hidden="true">?</span> not known</span> <span class="state-words">${state ? `It was ${state.word}. ` : ''}${old}</span>`
  : html`<span class="state ${state.tone}"><span aria-hidden="true">${state.icon}</span> ${state.word}</span> <span class="state-words">${state.words}</span>`;

/** Time that a run has left at most, as a clock; a dash when nothing ends it yet. */
export const left = (at, now) => known(at) ? clock(Math.max(0, Math.round((new Date(at) - now) / 1000))) : '–';
