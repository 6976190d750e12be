// SPDX-License-Identifier: Apache-2.0
// Shows runs, and one of them live. Everything comes from the REST API and its event streams, and every text goes to
// the page as text, never as markup.

const API = '/api/v1';
const PHASES = ['Pending', 'Preparing', 'Baseline', 'Ramping', 'Confirming', 'Restoring', 'Finished'];
const TONES = {CAPACITY_FOUND: 'good', PASSED: 'good', THRESHOLD_FAILED: 'bad', TRAFFIC_EXHAUSTED: 'good', INCONCLUSIVE: 'warn', ABORTED: 'warn', FAILED: 'bad'};
const KEPT = 1200;
const byId = id => document.getElementById(id);

let selected = null;
let chosenByHand = false;
let source = null;
let windows = [];
let drawing = false;

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function percent(ratio) {
  return ratio === undefined || ratio === null ? '–' : (ratio * 100).toFixed(ratio < 0.1 ? 2 : 1) + ' %';
}

function rate(value) {
  return value === undefined || value === null ? '–' : value.toFixed(value < 10 ? 1 : 0) + '/s';
}

function withUnit(value, unit) {
  if (value === undefined || value === null) return '–';
  if (unit === 'seconds') return value < 1 ? (value * 1000).toFixed(value < 0.01 ? 2 : 0) + ' ms' : value.toFixed(2) + ' s';
  if (unit === 'ratio') return percent(value);
  return Number(value.toPrecision(4)) + (unit ? ' ' + unit : '');
}

class SignInNeeded extends Error {}

async function get(path) {
  const response = await fetch(API + path, {headers: {Accept: 'application/json'}});
  if (response.status === 401) throw new SignInNeeded();
  if (!response.ok) throw new Error('the controller answered ' + response.status);
  return response.json();
}

async function refresh() {
  try {
    const [runs, capacities] = await Promise.all([get('/runs?limit=30'), get('/capacities')]);
    byId('connection').textContent = '';
    byId('sign-in').hidden = true;
    listRuns(runs.items);
    listCapacities(capacities.items);
    const shown = runs.items.find(run => run.id === selected);
    if (shown) showHarm(shown);
    const newest = runs.items[0];
    if (newest && (!selected || (!chosenByHand && newest.id !== selected && newest.phase !== 'Finished'))) {
      select(newest.id, false);
    }
  } catch (failure) {
    const strange = failure instanceof SignInNeeded;
    byId('sign-in').hidden = !strange;
    byId('connection').textContent = strange ? 'The controller wants to know who you are.'
      : 'No connection to the controller: ' + failure.message;
  }
}

function capacityText(result) {
  return (result.lowerBound ? 'at least ' : '') + rate(result.capacity) +
    (result.lowerBound ? '' : ' (' + rate(result.low) + ' to ' + rate(result.high) + ')');
}

function listRuns(items) {
  const list = byId('runs');
  const focused = document.activeElement && document.activeElement.dataset.run;
  list.replaceChildren(...items.map(run => {
    const entry = element('li');
    const button = element('button');
    button.type = 'button';
    button.dataset.run = run.id;
    button.setAttribute('aria-current', String(run.id === selected));
    button.append(element('span', run.service + ' · ' + run.sut), element('span', new Date(run.submittedAt).toLocaleString()),
      element('span', run.outcome && run.phase === 'Finished' ? run.outcome.replaceAll('_', ' ').toLowerCase() : run.phase, TONES[run.outcome]),
      element('span', run.result ? capacityText(run.result) : ''));
    button.addEventListener('click', () => select(run.id, true));
    entry.append(button);
    return entry;
  }));
  if (focused) list.querySelector('[data-run="' + CSS.escape(focused) + '"]')?.focus();
}

function listCapacities(items) {
  byId('capacities').replaceChildren(...items.map(found => {
    const entry = element('li');
    const line = element('div', undefined, 'entry');
    line.append(element('span', found.service + ' · ' + found.instance), element('strong', capacityText(found)),
      element('span', found.limitingRule ? 'limited by ' + found.limitingRule : ''),
      element('span', new Date(found.recordedAt).toLocaleString()));
    entry.append(line);
    return entry;
  }));
  if (!items.length) byId('capacities').append(element('li', 'None found yet.'));
}

async function select(id, byHand) {
  if (selected === id && source) return;
  chosenByHand = byHand;
  selected = id;
  windows = [];
  if (source) source.close();
  source = null;
  if (byHand) history.replaceState(null, '', '#' + encodeURIComponent(id));
  byId('problem').textContent = '';
  for (const button of document.querySelectorAll('[data-run]')) {
    button.setAttribute('aria-current', String(button.dataset.run === id));
  }
  try {
    const run = await get('/runs/' + encodeURIComponent(id));
    if (selected !== id) return;
    byId('empty').hidden = true;
    byId('run').hidden = false;
    showRun(run);
    follow(id);
  } catch (failure) {
    byId('problem').textContent = failure.message;
  }
}

function follow(id) {
  const mine = new EventSource(API + '/runs/' + encodeURIComponent(id) + '/events');
  source = mine;
  mine.onmessage = message => {
    if (mine === source) showEvent(JSON.parse(message.data));
  };
  mine.addEventListener('end', message => {
    mine.close();
    if (mine === source) {
      showRun(JSON.parse(message.data));
      refresh();
    }
  });
}

function showPhase(phase, reason, outcome) {
  const field = byId('phase');
  const text = phase === 'Finished' && outcome ? outcome.replaceAll('_', ' ').toLowerCase() : phase;
  if (field.textContent !== text) field.textContent = text;
  field.className = 'phase ' + (TONES[outcome] || '');
  byId('reason').textContent = reason || '';
  byId('phases').replaceChildren(...PHASES.map(name => {
    const item = element('li', name, name === phase ? 'now' : '');
    if (name === phase) item.setAttribute('aria-current', 'step');
    return item;
  }));
  byId('abort').hidden = phase === 'Finished' || phase === 'Restoring';
}

function showHarm(run) {
  byId('harm').textContent = run.harm.requests.toFixed(0) + ' requests' +
    (run.harm.used === undefined ? '' : ', ' + percent(run.harm.used) + ' of the budget');
}

function showRun(run) {
  byId('service').textContent = run.service;
  byId('sut').textContent = run.sut;
  byId('plan').textContent = run.plan;
  showHarm(run);
  showPhase(run.phase, run.stopReason ? run.stopReason.detail : '', run.outcome);
  byId('asked').textContent = percent(run.askedShare);
  const result = byId('result');
  result.hidden = !run.result && !run.estimate;
  if (!run.result && run.estimate) {
    result.replaceChildren(element('span', 'no result; when it ended, at least ' + rate(run.estimate.low) + ' was believed'));
  }
  if (run.result) {
    const parts = [element('strong', capacityText(run.result))];
    if (run.result.limitingRule) {
      parts.push(element('span', ' limited by ' + run.result.limitingRule));
    }
    if (run.bottleneck.length) parts.push(element('span', '; ' + run.bottleneck[0].words + ' (confidence ' + percent(run.bottleneck[0].confidence) + ')'));
    if (run.restore) parts.push(element('span', '; traffic restored in ' + run.restore.seconds.toPrecision(2) + ' s'));
    if (run.previous) parts.push(element('span', '; ' + (run.previous.change >= 0 ? '+' : '') + percent(run.previous.change) + ' since the run before'));
    result.replaceChildren(...parts);
  }
}

function showEvent(event) {
  showPhase(event.phase, event.reason, event.outcome);
  byId('asked').textContent = percent(event.askedShare);
  if (event.window) {
    windows.push({...event.window, askedShare: event.askedShare});
    if (windows.length > KEPT) windows.shift();
    if (!drawing) {
      drawing = true;
      requestAnimationFrame(draw);
    }
  }
}

function draw() {
  drawing = false;
  const newest = windows[windows.length - 1];
  if (!newest) return;
  byId('rate').textContent = rate(newest.requestsPerSecond);
  byId('share').textContent = percent(newest.measuredShare);
  byId('measured').textContent = percent(newest.measuredShare);
  byId('p99').textContent = withUnit(newest.latencyP99Seconds, 'seconds');
  const latency = newest.rules.find(rule => rule.unit === 'seconds' && rule.threshold !== undefined && /latency\.p99/.test(rule.expression));
  chart('rate-chart', [['main', windows.map(one => one.requestsPerSecond)]]);
  chart('share-chart', [['asked', windows.map(one => one.askedShare)], ['main', windows.map(one => one.measuredShare)]]);
  chart('p99-chart', [['main', windows.map(one => one.latencyP99Seconds)]], latency && latency.threshold);
  byId('rules').replaceChildren(...newest.rules.map(ruleBar));
}

function chart(id, lines, limit) {
  const highest = Math.max(limit || 0, ...lines.flatMap(line => line[1]).filter(value => value !== undefined), 1e-9) * 1.1;
  const drawn = lines.map(([className, values]) => {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'polyline');
    line.setAttribute('class', className);
    line.setAttribute('points', values.map((value, index) => value === undefined ? ''
      : (index * 300 / Math.max(1, values.length - 1)).toFixed(1) + ',' + (80 - 80 * value / highest).toFixed(1)).join(' '));
    return line;
  });
  if (limit) {
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'line');
    const height = (80 - 80 * limit / highest).toFixed(1);
    for (const [name, value] of [['x1', 0], ['x2', 300], ['y1', height], ['y2', height]]) line.setAttribute(name, value);
    drawn.push(line);
  }
  byId(id).replaceChildren(...drawn);
}

function ruleBar(rule) {
  const item = element('li');
  const text = element('div', undefined, 'rule-text');
  const kind = rule.guard ? 'guard ' : rule.informational ? 'for information: ' : '';
  const measured = rule.value === undefined ? (rule.reason || 'no data')
    : withUnit(rule.value, rule.unit) + ' of ' + withUnit(rule.threshold, rule.unit);
  text.append(element('span', kind + rule.name + ': ' + rule.expression), element('span', measured + (rule.judgement === 'BREACHED' ? ' – broken' : '')));
  const used = rule.utilisation === undefined ? (rule.value === undefined || !rule.threshold ? 0 : rule.value / rule.threshold) : rule.utilisation;
  const track = element('div', undefined, 'track');
  track.setAttribute('role', 'meter');
  track.setAttribute('aria-label', rule.name);
  track.setAttribute('aria-valuemin', '0');
  track.setAttribute('aria-valuemax', '100');
  track.setAttribute('aria-valuenow', String(Math.round(Math.min(1, used) * 100)));
  track.setAttribute('aria-valuetext', measured);
  const fill = element('div', undefined, 'fill' + (rule.judgement === 'BREACHED' || used > 1 ? ' over' : used > 0.8 ? ' near' : ''));
  fill.style.width = Math.min(100, used * 100) + '%';
  track.append(fill);
  item.append(text, track);
  return item;
}

byId('abort').addEventListener('submit', async submitted => {
  submitted.preventDefault();
  const problem = byId('problem');
  problem.textContent = '';
  try {
    const response = await fetch(API + '/runs/' + encodeURIComponent(selected) + ':abort', {
      method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({reason: byId('abort-reason').value}),
    });
    if (!response.ok) problem.textContent = (await response.json()).detail || 'The run could not be aborted.';
    else byId('abort-reason').value = '';
  } catch (failure) {
    problem.textContent = 'The run could not be aborted: ' + failure.message;
  }
});

// The controller keeps the token in a cookie that scripts cannot read; an event stream sends no other header.
byId('sign-in').addEventListener('submit', async submitted => {
  submitted.preventDefault();
  try {
    const response = await fetch(API + '/session', {method: 'POST', headers: {Authorization: 'Bearer ' + byId('token').value.trim()}});
    if (!response.ok) throw new Error((await response.json()).detail);
    byId('token').value = '';
    await refresh();
  } catch (failure) {
    byId('connection').textContent = 'Not signed in: ' + failure.message;
  }
});

addEventListener('hashchange', () => {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id && id !== 'detail') select(id, true);
});

const asked = decodeURIComponent(location.hash.slice(1));
if (asked && asked !== 'detail') select(asked, true);
refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 3000);
