// SPDX-License-Identifier: Apache-2.0
// One run: its answer so far, live over its events, and all that it was made from.
import {ApiError, get, GOING_ON, refresh, send, stream, view, wordsOf} from './api.js';
import {placeTicks, scale} from './capacity-scale.js';
import {now} from './clock.js';
import {ago} from './format.js';
import {byId, html, show} from './html.js';
import {fillMeters} from './meter.js';
import {RunCharts, points} from './run-charts.js';
import {Decisions} from './run-decisions.js';
import {rowsOf} from './rundata.js';
import * as tell from './runwords.js';
import {Highlights} from './run-highlights.js';
import {Strip} from './run-strip.js';
import {ask, whoIsLooking} from './shell.js';

const id = document.body.dataset.subject;

const path = '/runs/' + encodeURIComponent(id);

/** Beyond the window's length: what a verdict needs to arrive. */
const SILENT = 2.5;

const decisions = new Decisions(path, () => decide());

let run = null;

let newest = null;

let receivedAt = now();

let connection = 'open';

let source = null;

let gone = false;

let watching = 0;

let other = null;

const strip = new Strip(path, () => { if (run) lookAgain(); });

/** Steps that ended. */
let steps = [];

/** What was found, or is estimated; the last estimate of a run that ended without a number is none. */
function found() {
  if (!run || run.result) return run && run.result;
  const estimate = run.phase === 'Finished' ? run.estimate : newest && newest.estimate;
  return estimate ? {...estimate, estimated: true} : null;
}

const highlights = new Highlights(at => charts.lead(at));

const charts = new RunCharts(path, () => ({
  over: run && run.phase === 'Finished', found: found(), other: other && other.rows ? other : null, curve: run && run.exceedances, steps,
}), () => decide(), (sentences, problem) => highlights.show(sentences, Boolean(run) && run.phase !== 'Finished', problem));

// ---- answer, numbers and tables

let shownAnswer = '';

/** The answer so far in words: those of the same window as the picture below it. */
function showAnswer() {
  const answer = tell.answer(run, newest);
  if (String(answer) === shownAnswer) return;
  shownAnswer = String(answer);
  show(byId('answer'), answer);
}

function showRun() {
  byId('title').textContent = 'Run of ' + run.service;
  document.title = run.service + ' ' + (run.outcome && run.phase === 'Finished' ? run.outcome.replaceAll('_', ' ').toLowerCase() : run.phase) + ' · RedLiner';
  showAnswer();
  show(byId('bottleneck'), tell.bottleneck(run));
  show(byId('validity'), tell.validity(run));
  show(byId('conditions'), tell.conditions(run));
  show(byId('downloads'), tell.downloads(run));
  const searching = ['Baseline', 'Ramping', 'Confirming'].includes(run.phase);
  byId('pause').hidden = !searching;
  byId('resume').hidden = run.phase !== 'Paused';
  byId('approve').hidden = run.phase !== 'Pending';
  if (other && other.run) showComparison();
}

let shownPicture = '';

/** The answer as a picture. */
function showPicture() {
  const service = newest && newest.serviceRequestsPerSecond;
  const rows = charts.rows.all();
  // Traffic comes and goes: the cap is where it was when there was most.
  const most = rows.reduce((highest, row) => row.gap ? highest : Math.max(highest, row.values.serviceRequestsPerSecond || 0), service || 0);
  const picture = scale({found: found(), over: run.phase === 'Finished', natural: service ? run.naturalShare * service : undefined, cap: most ? run.maxShare * most : undefined,
    load: newest ? newest.requestsPerSecond : undefined, steps, rows});
  if (String(picture) === shownPicture) return;
  shownPicture = String(picture);
  show(byId('picture'), picture);
  placeTicks(byId('picture'));
}

function showWindow() {
  showAnswer();
  showPicture();
  show(byId('now'), tell.now(run, newest));
  if (newest && !worst) {
    show(byId('rules'), tell.rules(newest));
    fillMeters(byId('rules'));
  }
}

let worst = null;

/** Of a run that is over: how far each rule was broken at worst, not in its last, healthy window. */
async function showWorst() {
  if (gone || worst || run.phase !== 'Finished') return;
  try {
    worst = (await get(path + '/report?format=json')).rules;
    byId('rules-title').textContent = 'Rules and guards: the worst of the run';
    show(byId('rules'), tell.worst(worst));
    fillMeters(byId('rules'));
  } catch {
    // The last window stays, under its own heading.
  }
}

/** Shows at once when the page is not live any more. */
function showConnection() {
  const field = byId('connection-state');
  const over = run && run.phase === 'Finished';
  const ended = newest ? new Date(newest.startedAt).getTime() + newest.lengthSeconds * 1000 : null;
  const late = ended && !over && (now() - ended) / 1000 > newest.lengthSeconds + SILENT;
  const lost = connection !== 'open' && !over;
  let words = '';
  if (lost) words = 'Stale: connection lost, last update ' + ago(receivedAt) + '. Trying again.';
  else if (late) words = 'Stale telemetry: the last window ended ' + ago(ended) + '.';
  else if (run && !over) words = newest ? 'Live' : 'Live; no window yet';
  if (field.textContent !== words) field.textContent = words;
  field.classList.toggle('problem', Boolean(lost || late));
  for (const name of ['now', 'rules', 'answer', 'picture']) {
    if (lost || late) byId(name).dataset.state = 'stale';
    else delete byId(name).dataset.state;
  }
  if (run) strip.draw(run, newest, lost ? 'Last update ' + ago(receivedAt) + '.' : late ? 'Last window ' + ago(ended) + '.' : '');
}

/** From now on nothing is asked of this run any more. */
function vanish(words) {
  gone = true;
  if (source) source.close();
  clearInterval(watching);
  clearTimeout(asking);
  charts.close();
  decisions.close();
  // A region that is not in the page is not refreshed.
  byId('steps').remove();
  byId('gone').textContent = words;
  byId('gone').hidden = false;
  byId('there').hidden = true;
  byId('strip').classList.add('gone');
  byId('connection-state').textContent = '';
}

// ---- comparison

async function compare(otherId) {
  other = null;
  show(byId('comparison'), html``);
  charts.draw();
  if (!otherId) return;
  try {
    const its = '/runs/' + encodeURIComponent(otherId);
    const found = await get(its);
    other = {run: found};
    showComparison();
    const timeline = await get(its + '/timeline?points=' + points());
    const drawn = rowsOf(timeline);
    const real = drawn.filter(row => !row.gap);
    if (real.length) Object.assign(other, {rows: drawn, begin: real[0].start, end: real.at(-1).end});
    charts.draw();
  } catch (failure) {
    show(byId('comparison'), html`<p class="problem" role="alert">${wordsOf(failure)}</p>`);
  }
}

function showComparison() {
  show(byId('comparison'), tell.comparison(run, other.run));
}

async function candidates() {
  const {items} = await get('/runs?limit=100&service=' + encodeURIComponent(run.service));
  const wanted = new URLSearchParams(location.search).get('compare');
  for (const one of items.filter(item => item.id !== id)) byId('compare').add(new Option(tell.candidate(one), one.id));
  if (wanted && ![...byId('compare').options].some(option => option.value === wanted)) byId('compare').add(new Option(wanted, wanted));
  byId('compare').value = wanted || '';
  if (wanted) compare(wanted);
}

byId('compare').addEventListener('change', () => {
  const asked = new URLSearchParams(location.search);
  if (byId('compare').value) asked.set('compare', byId('compare').value);
  else asked.delete('compare');
  history.replaceState(null, '', location.pathname + (asked.size ? '?' + asked : ''));
  compare(byId('compare').value);
});

// ---- what can be done

/** What a pause does, and what ends it. */
function waiting() {
  const {at, code} = run.limit || {};
  const limit = at ? ' If nobody does, ' + (code === 'Freeze' ? 'a freeze' : 'its longest duration') + ' ends it at ' + new Date(at).toLocaleString() + '.' : '';
  return 'Traffic goes to its natural share, and the run waits until somebody resumes it.' + limit + ' A broken guard, a changed fleet or lost telemetry ends it earlier.';
}

/** Why the viewer cannot approve the run, if he cannot. */
function own() {
  const {submittedBy} = run.approval || {};
  return submittedBy && submittedBy === whoIsLooking()?.name ? `${submittedBy} submitted this run, and that is you. Somebody else has to approve it, until ${new Date(run.approval.until).toLocaleString()}.` : '';
}

const ACTIONS = {
  pause: {title: 'Pause this run?', action: 'Pause', words: waiting},
  resume: {title: 'Resume this run?', action: 'Resume', words: 'The search goes on where it was.'},
  approve: {title: 'Let this run begin?', action: 'Approve', words: 'You are the second person: its traffic will be moved.', refused: own},
};

async function act(verb) {
  if (byId(verb).hidden || byId('ask').open) return;
  const {words, refused} = ACTIONS[verb];
  const done = await ask({...ACTIONS[verb], words: typeof words === 'function' ? words() : words, refused: refused && refused() || undefined, act: reason => send('POST', path + ':' + verb, {reason})});
  if (done) {
    run = await get(path);
    showRun();
  }
}

Object.keys(ACTIONS).forEach(verb => byId(verb).addEventListener('click', () => act(verb)));

// ---- live

let asking = null;

/** Asks for what events do not have: conditions, harm, result. */
function again() {
  if (asking || gone) return;
  asking = setTimeout(async () => {
    asking = null;
    await lookAgain();
  }, 1000);
}

/** Whether the run is gone is decided by its own answer alone: whatever else is not found asks this. */
const decide = () => gone ? null : get(path).catch(vanishIfGone);

function vanishIfGone(failure) {
  if (!gone && failure instanceof ApiError && failure.status === 404) vanish('There is no run ' + id + ' any more, or there never was. ' + failure.message);
}

async function lookAgain() {
  if (gone) return false;
  try {
    const found = await get(path);
    if (gone) return false;
    run = found;
    receivedAt = now();
    if (!charts.rows.timeline) charts.load();
    if (run.window && charts.add(run.window)) newest = run.window;
    newest ??= run.window || null;
    showRun();
    showWindow();
    showConnection();
    decisions.look(run.journalSequence);
    refresh(byId('steps'));
    return true;
  } catch (failure) {
    vanishIfGone(failure);
    return false;
  }
}

function event(update) {
  receivedAt = now();
  connection = 'open';
  // Of its end an event does not have the proof: the whole run comes with the end of the stream, or is asked for.
  const ended = update.phase === 'Finished' || run.phase === 'Finished';
  const phaseChanged = !ended && run.phase !== update.phase;
  const shareChanged = run.askedShare !== update.askedShare;
  if (phaseChanged) delete run.pause;
  if (update.phase === 'Restoring') strip.stop.restoringSince(update.at);
  if (!ended) run.phase = update.phase;
  run.askedShare = update.askedShare;
  receivedSequence = update.sequence;
  if (update.window && charts.add(update.window)) {
    if (phaseChanged || !newest || newest.judgement !== update.window.judgement) charts.loadSoon();
    newest = update.window;
    showWindow();
  }
  if (phaseChanged) showRun();
  if (ended || phaseChanged || shareChanged || update.event !== 'VerdictArrived' || now() - lookedAt > 5000) {
    lookedAt = now();
    again();
  }
  showConnection();
}

let lookedAt = 0;

let receivedSequence = 0;

function follow() {
  receivedSequence = run.journalSequence;
  source = stream(() => path + '/events?after=' + receivedSequence, {
    message: event,
    end: (over, mine) => {
      mine.close();
      run = over;
      newest = over.window || newest;
      receivedAt = now();
      connection = 'open';
      if (over.window) charts.add(over.window);
      charts.loadSoon();
      showRun();
      showWindow();
      showConnection();
      showWorst();
      decisions.look(run.journalSequence);
      refresh(byId('steps'));
      charts.draw();
    },
  }, state => {
    connection = state;
    if (state === 'open') {
      receivedAt = now();
      again();
    }
    // The stream comes back by itself, unless the run is gone.
    if (state === 'refused') lookAgain();
    showConnection();
  });
}

document.addEventListener('redliner:lost', () => {
  if (run && run.phase !== 'Finished') connection = 'lost';
  showConnection();
});

document.addEventListener('redliner:answered', () => {
  if (!source || source.live()) connection = 'open';
});

/** A stream may break without an error. The controller sends an event of a live run more often than this. */
const DEAD = 20000;

function watch() {
  showConnection();
  if (source && source.live() && run.phase !== 'Finished' && now() - receivedAt > DEAD) {
    receivedAt = now();
    source.renew();
  }
}

view('steps', page => {
  steps = page.items;
  showPicture();
  charts.draw();
  return tell.steps(page);
}, () => {
  decide();
  return tell.steps({items: steps});
});

async function begin() {
  try {
    run = await get(path, AbortSignal.timeout(3000));
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) {
      vanish('There is no run ' + id + '.');
      return;
    }
    byId('answer').textContent = wordsOf(failure, GOING_ON);
    strip.unknown();
    setTimeout(begin, 3000);
    return;
  }
  newest = run.window || null;
  showRun();
  showWindow();
  showConnection();
  byId('steps').setAttribute('hx-get', '/api/v1' + path + '/steps');
  window.htmx.process(byId('steps'));
  refresh(byId('steps'));
  await charts.load();
  charts.draw();
  showPicture();
  showWorst();
  decisions.look(run.journalSequence);
  candidates().catch(() => { /* The list is a help only. */ });
  if (!gone && run.phase !== 'Finished') follow();
  if (!gone) watching = setInterval(watch, 1000);
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
else begin();
