// SPDX-License-Identifier: Apache-2.0
// A plan: its text with mistakes at their lines, what a run of it would be, its versions.
import {ApiError, because, get, getYaml, send, wordsOf} from './api.js';
import {Editor} from './editor.js';
import {time} from './format.js';
import {byId, html, show} from './html.js';
import {dryRun} from './plan-dry.js';
import {Versions} from './plan-versions.js';
import {ask} from './shell.js';

const subject = document.body.dataset.subject;

/** A plan that has no name yet. */
const fresh = subject === undefined;

const path = '/plans' + (fresh ? '' : '/' + encodeURIComponent(subject));

const editor = new Editor(byId('editor'));

/** Longer texts are checked when somebody asks for it, and not with each key. */
const LONG = 64 * 1024;

let stored = '';

let turn = 0;

let waiting;

let checking;

const changed = () => editor.text !== stored;

const size = text => text.length >= 1e6 ? (text.length / 1e6).toFixed(1) + ' MB' : Math.ceil(text.length / 1e3) + ' kB';

function template(service, instance) {
  return `apiVersion: redliner.io/v1
kind: CapacityTest
metadata:
  name: ${service}-weekly
spec:
  service: ${service}
  sut: {instance: "${instance}"}
  profile: capacity
  sla:
    - {name: latency, expr: "latency.p99 <= duration('200ms')"}
    - {name: errors, expr: "error_rate <= 0.001"}
  guards:
    - {name: fleet-errors, expr: "service.error_rate <= 0.01"}
  limits: {maxShare: 60%, maxDuration: 30m, harmBudget: 0.1%, window: 1s}
`;
}

function place(one) {
  const inRule = one.expressionLine ? ` (in the expression: line ${one.expressionLine}, column ${one.expressionColumn})` : '';
  return one.line ? `Line ${one.line}, column ${one.column}${inRule}: ` : '';
}

function tellMistakes(failure) {
  show(byId('notes'), html``);
  const problem = failure.problem || {};
  const mistakes = problem.errors || [{...problem, message: failure.message}];
  const lines = mistakes.filter(one => one.line).map(one => one.line);
  byId('check-state').className = 'problem';
  byId('check-state').textContent = lines.length
    ? `${mistakes.length} ${mistakes.length === 1 ? 'mistake' : 'mistakes, the first'} in line ${lines[0]}.` : wordsOf(failure);
  show(byId('mistakes'), lines.length ? mistakes.slice(0, 100).map(one => html`<li>${one.line
    ? html`<button type="button" data-line="${one.line}" data-column="${one.column}">${place(one)}${one.message} <code>${one.field}</code></button>` : one.message}</li>`) : html``);
  editor.mark(lines);
}

function tellState(words, tone = 'faint') {
  byId('check-state').className = tone;
  byId('check-state').textContent = words;
}

function clearMistakes() {
  show(byId('notes'), html``);
  show(byId('mistakes'), html``);
  editor.mark([]);
}

/** Checks the text; answers to earlier texts do not count any more. */
async function check() {
  clearTimeout(waiting);
  if (checking) checking.abort();
  const mine = ++turn;
  if (!editor.text.trim()) {
    clearMistakes();
    return tellState('Write a plan.');
  }
  tellState('Checking…');
  checking = new AbortController();
  try {
    const {notes} = await send('POST', '/plans:validate', editor.text, {}, checking.signal);
    if (mine !== turn) return;
    clearMistakes();
    show(byId('notes'), notes.map(note => html`<li>${note}</li>`));
    tellState('No mistakes.' + (changed() ? ' Not saved yet.' : ''), changed() ? 'faint' : 'good');
  } catch (failure) {
    if (mine !== turn) return;
    if (failure instanceof ApiError) return tellMistakes(failure);
    tellState(wordsOf(failure, 'This is not checked.'), 'problem');
  }
}

function typed() {
  clearTimeout(waiting);
  if (checking) checking.abort();
  turn++;
  byId('done').textContent = '';
  byId('save').textContent = changed() ? 'Save' : 'Saved';
  byId('save').disabled = !changed() && !fresh;
  if (editor.text.length > LONG) return tellState(`This text is long (${size(editor.text)}): it is checked when you press Check.`);
  waiting = setTimeout(check, 400);
}

byId('text').addEventListener('input', typed);

byId('mistakes').addEventListener('click', clicked => {
  const button = clicked.target.closest('[data-line]');
  if (button) editor.go(Number(button.dataset.line), Number(button.dataset.column));
});


async function save() {
  const text = editor.text;
  let saved;
  const done = await ask({
    title: fresh ? 'Add this plan?' : `Save a new version of ${subject}?`,
    words: 'Runs that are live keep what they executed. A schedule in it counts from now on.', action: 'Save', reason: 'optional',
    act: async reason => {
      try {
        saved = await send(fresh ? 'POST' : 'PUT', path, text, because(reason));
      } catch (failure) {
        if (failure instanceof ApiError && (failure.problem.errors || failure.problem.line)) tellMistakes(failure);
        throw failure;
      }
    },
  });
  if (!done) return;
  stored = text;
  if (fresh) location.assign('/plans/' + encodeURIComponent(saved.name));
  else await load('Saved as version ' + saved.version + '.');
}

/** A key of its own for each start that is asked for: sent again, it is the same run. Not all pages have randomUUID. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

async function start() {
  const body = changed() || fresh ? editor.text : {plan: subject};
  const key = newKey();
  let begun;
  const done = await ask({
    title: 'Start a run?', action: 'Start', reason: 'optional',
    words: (changed() || fresh ? 'The text has changes that are not saved; the run takes it as it is here. ' : '') + 'It moves live traffic within the plan\'s limits. You can abort it at any time.',
    act: async reason => { begun = await send('POST', '/runs', body, {'Idempotency-Key': key, ...because(reason)}); },
  });
  if (!done) return;
  leaving = true;
  location.assign((begun.members ? '/series/' : '/runs/') + encodeURIComponent(begun.id));
}

async function remove() {
  const done = await ask({
    title: `Delete ${subject}?`, words: 'Its schedule goes with it. Runs and capacities stay.', action: 'Delete it',
    act: reason => send('DELETE', path, undefined, because(reason)),
  });
  if (!done) return;
  leaving = true;
  location.assign('/plans');
}

byId('save').addEventListener('click', save);
byId('check').addEventListener('click', check);
byId('start').addEventListener('click', start);
byId('delete').addEventListener('click', remove);
byId('dry-run').addEventListener('click', async () => {
  const failure = await dryRun(editor.text);
  if (failure && failure.problem && (failure.problem.errors || failure.problem.line)) tellMistakes(failure);
});

document.addEventListener('keydown', pressed => {
  if ((pressed.ctrlKey || pressed.metaKey) && pressed.key === 's') {
    pressed.preventDefault();
    if (!byId('ask').open) save();
  }
});

let leaving = false;

addEventListener('beforeunload', unloading => {
  if (!leaving && changed() && editor.text.trim()) unloading.preventDefault();
});

function about(plan) {
  const spec = plan.plan.spec;
  show(byId('about'), html`Tests <a href="/services/${encodeURIComponent(spec.service)}">${spec.service}</a> · ${spec.profile} · version ${plan.version}, ${time(plan.updatedAt)} ·
    ${spec.schedule ? html`<a href="/schedules?service=${encodeURIComponent(spec.service)}">scheduled</a>` : 'no schedule'}
    ${plan.file ? html` · comes from the plan folder (<code>${plan.file}</code>): change it there` : ''} · <span title="${plan.hash}">${plan.hash.slice(0, 12)}</span>.
    Defaults are written out, comments are not kept.`);
}

const versions = new Versions(path, taken => {
  editor.text = taken;
  typed();
  editor.go(1, 1);
});

/** There is a text that something can be done with. */
function enable() {
  for (const id of ['text', 'check', 'dry-run', 'start']) byId(id).disabled = false;
}

async function load(done = '') {
  try {
    const [plan, text] = await Promise.all([get(path), getYaml(path)]);
    stored = text;
    editor.text = text;
    enable();
    byId('delete').hidden = byId('history').hidden = false;
    byId('plan-problem').textContent = '';
    about(plan);
    versions.look(plan.version, text);
    typed();
    byId('done').textContent = done;
  } catch (failure) {
    byId('about').textContent = '';
    byId('plan-problem').textContent = wordsOf(failure, 'Reload the page to try again.') + (failure.status === 404 ? '. It may have been deleted or renamed.' : '');
    for (const id of ['save', 'check', 'dry-run', 'start']) byId(id).disabled = true;
  }
}

async function begin() {
  let service = {name: 'my-service', instances: [{address: '10.0.0.1:8080'}]};
  try {
    const wanted = new URLSearchParams(location.search).get('service');
    const {items} = await get('/services');
    service = items.find(one => one.name === wanted) || items[0] || service;
  } catch {
    // The template stands for itself.
  }
  byId('about').textContent = 'What is tested, by which rules and within which limits. Nothing happens before you save it or start a run.';
  enable();
  editor.text = template(service.name, service.instances.length ? service.instances[0].address : '10.0.0.1:8080');
  stored = editor.text;
  typed();
}

if (fresh) begin();
else load();
