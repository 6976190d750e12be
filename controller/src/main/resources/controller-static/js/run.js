// SPDX-License-Identifier: Apache-2.0
// One run: its answer so far, live over its events, and all that it was made from.
import {ApiError, get, refresh, send, stream, view} from './api.js';
import {ago, duration, time} from './format.js';
import {byId, html, show} from './html.js';
import {fillMeters} from './meter.js';
import {chartIn, curveOption, heightOf, timeOption} from './runchart.js';
import {RunRows, rowsOf} from './rundata.js';
import * as tell from './runwords.js';
import {ask, shortcut} from './shell.js';

const id = document.body.dataset.subject;

const path = '/runs/' + encodeURIComponent(id);

/** Beyond the window's length: what a verdict needs to arrive. */
const SILENT = 2.5;

/** Windows told by events, after which the whole run is asked for anew, so that no page holds ever more. */
const LONGEST_TAIL = 600;

const rows = new RunRows();

let run = null;

let newest = null;

let heardAt = Date.now();

let connection = 'open';

let source = null;

let gone = false;

let other = null;

// ---- answer, numbers and tables

function showRun() {
  byId('title').textContent = 'Run of ' + run.service;
  document.title = run.service + ' ' + (run.outcome && run.phase === 'Finished' ? run.outcome.replaceAll('_', ' ').toLowerCase() : run.phase) + ' · RedLiner';
  show(byId('answer'), tell.answer(run, newest));
  show(byId('bottleneck'), tell.bottleneck(run));
  show(byId('validity'), tell.validity(run));
  show(byId('conditions'), tell.conditions(run));
  show(byId('downloads'), tell.downloads(run));
  const searching = ['Baseline', 'Ramping', 'Confirming'].includes(run.phase);
  byId('abort').hidden = ['Restoring', 'Finished'].includes(run.phase);
  byId('pause').hidden = !searching;
  byId('resume').hidden = run.phase !== 'Paused';
  byId('approve').hidden = run.phase !== 'Pending';
  if (other && other.run) showComparison();
}

function showWindow() {
  show(byId('now'), tell.now(run, newest));
  if (newest) {
    show(byId('rules'), tell.rules(newest));
    fillMeters(byId('rules'));
  }
}

/** Says at once when what is shown is not live any more. */
function showHeard() {
  const field = byId('heard');
  const over = run && run.phase === 'Finished';
  const ended = newest ? new Date(newest.startedAt).getTime() + newest.lengthSeconds * 1000 : null;
  const late = ended && !over && (Date.now() - ended) / 1000 > newest.lengthSeconds + SILENT;
  const lost = connection !== 'open' && !over;
  let words = '';
  if (lost) words = 'Stale: connection lost, last heard ' + ago(heardAt) + '. Trying again.';
  else if (late) words = 'Stale telemetry: the last window ended ' + ago(ended) + '.';
  else if (run && !over) words = newest ? 'Live' : 'Live; no window yet';
  if (field.textContent !== words) field.textContent = words;
  field.classList.toggle('problem', Boolean(lost || late));
  for (const name of ['now', 'rules', 'answer']) {
    if (lost || late) byId(name).dataset.state = 'stale';
    else delete byId(name).dataset.state;
  }
}

function vanish(words) {
  gone = true;
  if (source) source.close();
  byId('gone').textContent = words;
  byId('gone').hidden = false;
  byId('there').hidden = true;
  byId('heard').textContent = '';
}

// ---- charts

let timeChart = null;

let curveChart = null;

let zoom = {start: 0, end: 100};

let drawing = false;

let lastDrawn = 0;

/** At most four times a second, and in step with the screen. */
function draw() {
  if (drawing || gone) return;
  drawing = true;
  setTimeout(() => requestAnimationFrame(paint), Math.max(0, lastDrawn + 250 - performance.now()));
}

function paint() {
  drawing = false;
  lastDrawn = performance.now();
  const all = rows.all();
  const begin = rows.begin();
  const some = begin !== null && all.length > 0;
  byId('time-chart').hidden = byId('curve-chart').hidden = !some;
  byId('chart-state').hidden = some;
  if (!some) {
    byId('chart-state').textContent = run && run.phase === 'Finished' ? 'This run ended before a window was judged.' : 'No window was judged yet.';
    return;
  }
  const condensed = rows.timeline && (rows.detail ? rows.detail.pointSeconds : rows.timeline.pointSeconds) > rows.timeline.windowSeconds;
  const against = other && other.rows ? other : null;
  const option = timeOption({rows: all, begin, end: rows.end(), units: rows.units, condensed, zoom, other: against});
  byId('time-chart').style.height = heightOf(option.panelCount) + 'px';
  if (!timeChart) {
    timeChart = chartIn(byId('time-chart'));
    timeChart.on('datazoom', zoomed);
  }
  timeChart.resize();
  timeChart.setOption(option, {replaceMerge: ['series', 'grid', 'xAxis', 'yAxis', 'title'], lazyUpdate: true});
  curveChart ??= chartIn(byId('curve-chart'));
  const found = run && (run.result || newest && newest.estimate);
  curveChart.setOption(curveOption({rows: all, found, other: against}), {replaceMerge: ['series']});
  describe(all, condensed);
}

function describe(all, condensed) {
  const drawn = all.filter(row => !row.gap);
  const slowest = Math.max(...drawn.map(row => row.values.latencyP99Seconds ?? 0));
  const most = Math.max(...drawn.map(row => row.values.requestsPerSecondMax ?? 0));
  const broken = drawn.reduce((sum, row) => sum + row.values.breached, 0);
  const seen = drawn.reduce((sum, row) => sum + row.count, 0);
  const words = seen + ' windows, ' + broken + ' broke the SLA; at most ' + Math.round(most) + ' requests/s; slowest p99 ' + duration(slowest) + '.';
  byId('time-chart').setAttribute('aria-label', 'Charts over time. ' + words + ' The steps are in the table below.');
  byId('resolution').textContent = words + (condensed ? ' A point is up to ' + duration(rows.detail ? rows.detail.pointSeconds : rows.timeline.pointSeconds) + ', its largest values stay.' : '');
  byId('curve-words').textContent = 'Each point is a window (diamonds broke the SLA), the line their median. Steps are in the table beside it.';
}

let zoomTimer = null;

function zoomed(moved) {
  const {start, end} = moved.batch ? moved.batch[0] : moved;
  if (start === undefined) return;
  zoom = {start, end};
  clearTimeout(zoomTimer);
  zoomTimer = setTimeout(closer, 250);
}

let looking = null;

/** Asks for more points of what is looked at, when the controller has more. */
async function closer() {
  const begin = rows.begin();
  if (begin === null || !rows.timeline) return;
  const longest = Math.max(rows.end() - begin, other && other.rows ? other.end - other.begin : 0);
  const from = begin + longest * zoom.start / 100;
  const to = begin + longest * zoom.end / 100;
  const wide = zoom.end - zoom.start > 99;
  if (wide || rows.timeline.pointSeconds <= rows.timeline.windowSeconds) {
    if (rows.detail) {
      rows.look(null);
      draw();
    }
    return;
  }
  if (looking) looking.abort();
  looking = new AbortController();
  try {
    const margin = (to - from) / 4;
    const first = Math.max(0, Math.floor(from - margin));
    const last = Math.ceil(to + margin);
    const timeline = await get(path + '/timeline?points=900&from=' + new Date(first).toISOString() + '&to=' + new Date(last).toISOString(), looking.signal);
    rows.look(timeline, first, last);
    draw();
  } catch (failure) {
    if (failure.name !== 'AbortError' && failure instanceof ApiError) byId('resolution').textContent = failure.message;
  }
}

const MOVES = {
  whole: () => [0, 100],
  in: (start, end) => [start + (end - start) / 4, end - (end - start) / 4],
  out: (start, end) => [start - (end - start) / 2, end + (end - start) / 2],
  earlier: (start, end) => [start - (end - start) / 2, end - (end - start) / 2],
  later: (start, end) => [start + (end - start) / 2, end + (end - start) / 2],
};

document.querySelectorAll('[data-zoom]').forEach(button => button.addEventListener('click', () => {
  if (!timeChart) return;
  const [start, end] = MOVES[button.dataset.zoom](zoom.start, zoom.end);
  const length = Math.min(100, end - start);
  const from = Math.min(100 - length, Math.max(0, start));
  zoom = {start: from, end: from + length};
  timeChart.dispatchAction({type: 'dataZoom', dataZoomIndex: 0, ...zoom});
  timeChart.dispatchAction({type: 'dataZoom', dataZoomIndex: 1, ...zoom});
}));

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);

let fetching = false;

async function whole() {
  if (fetching) return;
  fetching = true;
  try {
    const timeline = await get(path + '/timeline?points=600');
    rows.take(timeline);
    draw();
  } catch (failure) {
    if (!(failure instanceof ApiError)) return;
    byId('chart-state').hidden = false;
    byId('chart-state').textContent = failure.message;
  } finally {
    fetching = false;
  }
}

// ---- comparison

async function compare(otherId) {
  other = null;
  show(byId('comparison'), html``);
  draw();
  if (!otherId) return;
  try {
    const its = '/runs/' + encodeURIComponent(otherId);
    const found = await get(its);
    other = {run: found};
    showComparison();
    const timeline = await get(its + '/timeline?points=600');
    const drawn = rowsOf(timeline);
    const real = drawn.filter(row => !row.gap);
    if (real.length) Object.assign(other, {rows: drawn, begin: real[0].start, end: real.at(-1).end});
    draw();
  } catch (failure) {
    show(byId('comparison'), html`<p class="problem" role="alert">${failure instanceof ApiError ? failure.message : 'The controller does not answer.'}</p>`);
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

// ---- decisions

let decidedUpTo = 0;

let decisions = 0;

let readingDecisions = false;

async function readDecisions() {
  if (readingDecisions || gone) return;
  readingDecisions = true;
  try {
    let after = decidedUpTo;
    while (after !== undefined) {
      const page = await get(path + '/decisions?limit=200&after=' + after);
      for (const one of page.items) {
        const place = document.createElement('template');
        show(place, tell.decision(one));
        byId('decisions').prepend(place.content);
        decidedUpTo = Math.max(decidedUpTo, one.sequence);
        decisions++;
      }
      after = page.nextAfter;
    }
    byId('decisions-state').hidden = decisions > 0;
    byId('decisions-state').textContent = 'Nothing was decided yet.';
    byId('decision-count').textContent = decisions || '';
  } catch (failure) {
    byId('decisions-state').hidden = decisions > 0;
    byId('decisions-state').textContent = failure instanceof ApiError ? failure.message : 'The controller does not answer. Trying again.';
  } finally {
    readingDecisions = false;
  }
}

byId('decisions').addEventListener('toggle', async toggled => {
  const opened = toggled.target;
  if (!opened.open || !opened.dataset.sequence || opened.dataset.filled) return;
  const place = opened.querySelector('.inputs');
  try {
    show(place, tell.inputs(await get(path + '/decisions/' + opened.dataset.sequence)));
    fillMeters(place);
    opened.dataset.filled = 'yes';
  } catch (failure) {
    show(place, html`<p class="problem" role="alert">${failure instanceof ApiError ? failure.message : 'The controller does not answer. Open it again.'}</p>`);
  }
}, true);

// ---- what can be done

const ACTIONS = {
  abort: {title: 'Abort this run?', action: 'Abort', words: 'All traffic goes back to its natural share, and the run ends without an answer.'},
  pause: {title: 'Pause this run?', action: 'Pause', words: 'Traffic is natural until somebody resumes it. The longest duration goes on.'},
  resume: {title: 'Resume this run?', action: 'Resume', words: 'The search goes on where it was.'},
  approve: {title: 'Let this run begin?', action: 'Approve', words: 'You are the second person: its traffic will be moved.'},
};

async function act(verb) {
  if (byId(verb).hidden || byId('ask').open) return;
  const done = await ask({...ACTIONS[verb], act: reason => send('POST', path + ':' + verb, {reason})});
  if (done) {
    run = await get(path);
    showRun();
  }
}

Object.keys(ACTIONS).forEach(verb => byId(verb).addEventListener('click', () => act(verb)));

shortcut('a', 'abort this run', () => act('abort'));

// ---- live

let asking = null;

/** What events do not tell: conditions, harm, result. */
function again() {
  if (asking || gone) return;
  asking = setTimeout(async () => {
    asking = null;
    await lookAgain();
  }, 1000);
}

async function lookAgain() {
  try {
    run = await get(path);
    heardAt = Date.now();
    if (run.window && rows.add(run.window)) {
      newest = run.window;
      draw();
    }
    newest ??= run.window || null;
    showRun();
    showWindow();
    showHeard();
    readDecisions();
    refresh(byId('steps'));
    return true;
  } catch (failure) {
    if (failure instanceof ApiError && [404, 410].includes(failure.status)) vanish('There is no run ' + id + ' any more, or there never was. ' + failure.message);
    return false;
  }
}

function event(told) {
  heardAt = Date.now();
  connection = 'open';
  const phaseChanged = run.phase !== told.phase;
  const shareChanged = run.askedShare !== told.askedShare;
  run.phase = told.phase;
  run.askedShare = told.askedShare;
  heardSequence = told.sequence;
  if (told.outcome) run.outcome = told.outcome;
  if (told.window && rows.add(told.window)) {
    newest = told.window;
    showWindow();
    if (rows.tail.length > LONGEST_TAIL) whole();
    draw();
  }
  if (phaseChanged) showRun();
  if (phaseChanged || shareChanged || told.event !== 'VerdictArrived' || Date.now() - lookedAt > 5000) {
    lookedAt = Date.now();
    again();
  }
  showHeard();
}

let lookedAt = 0;

let heardSequence = 0;

function follow() {
  heardSequence = run.journalSequence;
  source = stream(() => path + '/events?after=' + heardSequence, {
    message: event,
    end: (over, mine) => {
      mine.close();
      run = over;
      newest = over.window || newest;
      heardAt = Date.now();
      connection = 'open';
      if (over.window && rows.add(over.window)) draw();
      showRun();
      showWindow();
      showHeard();
      readDecisions();
      refresh(byId('steps'));
      draw();
    },
  }, state => {
    connection = state;
    if (state === 'open') {
      heardAt = Date.now();
      again();
    }
    // The stream comes back by itself, unless the run is gone.
    if (state === 'refused') lookAgain();
    showHeard();
  });
}

document.addEventListener('redliner:lost', () => {
  if (run && run.phase !== 'Finished') connection = 'lost';
  showHeard();
});

document.addEventListener('redliner:heard', () => {
  if (!source || source.live()) connection = 'open';
});

/** A stream may die without a word; the controller says something of a live run more often than this. */
const DEAD = 20000;

function watch() {
  showHeard();
  if (source && source.live() && run.phase !== 'Finished' && Date.now() - heardAt > DEAD) {
    heardAt = Date.now();
    source.renew();
  }
}

view('steps', tell.steps);

async function begin() {
  try {
    run = await get(path);
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) {
      vanish('There is no run ' + id + '.');
      return;
    }
    byId('answer').textContent = failure instanceof ApiError ? failure.message : 'The controller does not answer. Trying again.';
    setTimeout(begin, 3000);
    return;
  }
  newest = run.window || null;
  showRun();
  showWindow();
  showHeard();
  byId('steps').setAttribute('hx-get', '/api/v1' + path + '/steps');
  window.htmx.process(byId('steps'));
  refresh(byId('steps'));
  await whole();
  draw();
  readDecisions();
  candidates().catch(() => { /* The list is a help only. */ });
  if (run.phase !== 'Finished') follow();
  setInterval(watch, 1000);
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin);
else begin();
