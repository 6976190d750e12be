// SPDX-License-Identifier: Apache-2.0
// A plan: its text with mistakes at their lines, what a run of it would be, its versions.
import {ApiError, because, get, getYaml, send, wordsOf} from './api.js';
import {Completion} from './completion.js';
import {Editor} from './editor.js';
import {time} from './format.js';
import {byId, html, show} from './html.js';
import {dryRun} from './plan-dry.js';
import {completions} from './plan-fields.js';
import {Versions} from './plan-versions.js';
import {ask} from './shell.js';
import {keep, kept} from './storage.js';

const subject = document.body.dataset.subject;

/** A plan that has no name yet. */
const fresh = subject === undefined;

const path = '/plans' + (fresh ? '' : '/' + encodeURIComponent(subject));

const editor = new Editor(byId('editor'));

/** Longer texts are checked when somebody asks for it, and not with each key. */
const LONG = 64 * 1024;

/** The text that is stored; of a new plan the template. */
let stored = '';

/** The stored version that the text was made from: name, version and hash. Null of a new plan, and while it is not known. */
let current = null;

let schema;

let turn = 0;

let waiting;

let checking;

const changed = () => editor.text !== stored;

const draft = 'draft:' + path;

const title = document.title;

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

/** Numbers that are not, or not yet, of the text that one sees do not look like those of it. */
function ageLimits() {
  if (byId('limits').hidden) return;
  byId('limits').dataset.state = 'stale';
  byId('limits-state').textContent = 'These are of the last text without mistakes.';
}

function tellMistakes(failure) {
  show(byId('notes'), html``);
  const problem = failure.problem || {};
  const mistakes = problem.errors || [{...problem, message: failure.message}];
  const lines = mistakes.filter(one => one.line).map(one => one.line);
  byId('check-state').className = 'problem';
  byId('check-state').textContent = lines.length
    ? `${mistakes.length} ${mistakes.length === 1 ? 'mistake' : 'mistakes, the first'} in line ${lines[0]}.` : wordsOf(failure);
  ageLimits();
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

/** Shows in numbers what the limits allow. */
function showLimits(limits) {
  byId('limits').hidden = false;
  delete byId('limits').dataset.state;
  byId('limits-state').textContent = '';
  show(byId('limits-list'), limits.map(one => html`<div><dt>${one.limit}</dt><dd>${one.text}</dd></div>`));
}

/**
 * Says what is saved, and keeps what is not in this tab.
 *
 * @param failure why the last attempt to save it failed
 */
function tellSaved(failure = '') {
  const unsaved = fresh || changed();
  const field = byId('saved-state');
  field.className = failure ? 'problem' : unsaved ? 'warn' : 'good';
  field.textContent = failure || (fresh ? 'Not saved: this plan exists only here.' : unsaved ? 'Not saved: the text differs from version ' + current.version + '.' : 'Saved: this is version ' + current.version + '.');
  document.title = (unsaved ? '● ' : '') + title;
  byId('save').disabled = !unsaved;
  // A text that is too large for it is kept by the question before one leaves.
  keep('tab', draft, changed() ? JSON.stringify({text: editor.text, version: current && {version: current.version, hash: current.hash}}) : null);
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
    const {notes, limits} = await send('POST', '/plans:validate', editor.text, {}, checking.signal);
    if (mine !== turn) return;
    clearMistakes();
    show(byId('notes'), notes.map(note => html`<li>${note}</li>`));
    showLimits(limits);
    tellState('No mistakes.', 'good');
  } catch (failure) {
    if (mine !== turn) return;
    if (failure instanceof ApiError) return tellMistakes(failure);
    ageLimits();
    tellState(wordsOf(failure, 'This is not checked.'), 'problem');
  }
}

function typed() {
  clearTimeout(waiting);
  if (checking) checking.abort();
  turn++;
  byId('done').textContent = '';
  tellSaved();
  ageLimits();
  if (editor.text.length > LONG) return tellState(`This text is long (${size(editor.text)}): it is checked when you press Check.`);
  waiting = setTimeout(check, 400);
}

byId('text').addEventListener('input', typed);

byId('mistakes').addEventListener('click', clicked => {
  const button = clicked.target.closest('[data-line]');
  if (button) editor.go(Number(button.dataset.line), Number(button.dataset.column));
});


/** Somebody else saved a version meanwhile, or an answer was lost: nothing is put over it before it was seen. */
async function meet() {
  const [plan, text] = await Promise.all([get(path), getYaml(path + '?written=true')]);
  take(plan, text);
  versions.look(plan.version, text);
  if (!changed()) return typed();
  versions.unsaved(editor.text);
  return tellSaved(`NOT saved: version ${plan.version} is newer than what you changed. Your text is still here, and is compared below; Save puts it over that version.`);
}

/** From now on a text is stored, whether somebody still looks at the question or not. */
function settle(saved, text) {
  take(saved, text);
  tellSaved();
  if (fresh) {
    leaving = true;
    location.assign('/plans/' + encodeURIComponent(saved.name));
    return;
  }
  about(saved);
  versions.look(saved.version, text);
  byId('draft').hidden = true;
  byId('done').textContent = 'Saved as version ' + saved.version + '.';
}

/** Says why a text is not stored, or that it is not known. */
async function refused(failure) {
  if (!(failure instanceof ApiError)) return tellSaved('It is not known whether it is saved: the controller did not answer. What you typed is still here.');
  if (failure.problem.errors || failure.problem.line) tellMistakes(failure);
  tellSaved('NOT saved: ' + failure.message.replace(/\.?$/, '.') + ' What you typed is still here.');
  if (failure.status === 412) await meet().catch(() => { /* It says already that it is not saved. */ });
  return undefined;
}

function save() {
  const text = editor.text;
  const tag = current ? {'If-Match': `"${current.version}-${current.hash.slice(0, 16)}"`} : {};
  return ask({
    title: fresh ? 'Add this plan?' : `Save a new version of ${subject}?`,
    words: 'Runs that are live keep what they executed. A schedule in it counts from now on.', action: 'Save', reason: 'optional',
    act: async reason => {
      try {
        settle(await send(fresh ? 'POST' : 'PUT', path, text, {...tag, ...because(reason)}), text);
      } catch (failure) {
        await refused(failure);
        throw failure;
      }
    },
  });
}

/** A key of its own for each start that is asked for: sent again, it is the same run. Not all pages have randomUUID. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('');
}

/** What to know before a run of this text: that somebody saved another one meanwhile, which is compared with it below. */
async function savedMeanwhile() {
  if (fresh) return '';
  try {
    const [plan, text] = await Promise.all([get(path), getYaml(path + '?written=true')]);
    if (plan.version === current.version && plan.hash === current.hash) return '';
    await versions.look(plan.version, text);
    versions.unsaved(editor.text);
    const other = plan.version > current.version
      ? `Version ${plan.version} is newer than version ${current.version}, which you see.` : 'This plan was deleted and made anew meanwhile.';
    return `${other} This run takes the text that you see. To run the newer one, cancel and reload the page; the difference is below. `;
  } catch (failure) {
    return failure.status === 404 ? 'This plan was deleted meanwhile. ' : 'Whether somebody saved a newer version is not known. ';
  }
}

/** Starts a run of the text that one sees; what somebody else saved meanwhile was not seen. */
async function start() {
  const key = newKey();
  const meanwhile = await savedMeanwhile();
  // What was typed while it waited is seen, too.
  const text = editor.text;
  let begun;
  const done = await ask({
    title: 'Start a run?', action: 'Start', reason: 'optional',
    words: meanwhile + (changed() || fresh ? 'The text has changes that are not saved; the run takes it as it is here. ' : '') + 'It moves live traffic within the plan\'s limits. You can abort it at any time.',
    act: async reason => { begun = await send('POST', '/runs', text, {'Idempotency-Key': key, ...because(reason)}); },
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
    ${plan.file ? html` · comes from the ${plan.source === 'kubernetes' ? 'CapacityTest' : 'plan folder'} (<code>${plan.file}</code>): change it there` : ''} · <span title="${plan.hash}">${plan.hash.slice(0, 12)}</span>.`);
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

/** From now on this is what is stored. */
function take(plan, text) {
  current = fresh ? null : plan;
  stored = text;
}

/** Puts back what was typed in this tab and not saved, with the version that it was made from. */
function restore() {
  const {text, version} = kept('tab', draft) || {};
  if (typeof text !== 'string' || text === stored) return;
  if (Number.isInteger(version?.version) && typeof version.hash === 'string') current = version;
  editor.text = text;
  byId('draft').hidden = false;
}

byId('drop-draft').addEventListener('click', () => {
  keep('tab', draft, null);
  leaving = true;
  location.reload();
});

async function load() {
  try {
    const [plan, text] = await Promise.all([get(path), getYaml(path + '?written=true')]);
    take(plan, text);
    editor.text = text;
    restore();
    enable();
    byId('delete').hidden = byId('history').hidden = false;
    byId('plan-problem').textContent = '';
    about(plan);
    versions.look(plan.version, text);
    typed();
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
  stored = template(service.name, service.instances.length ? service.instances[0].address : '10.0.0.1:8080');
  editor.text = stored;
  restore();
  typed();
}

new Completion(byId('text'), (text, at) => schema && text.length <= LONG ? completions(schema, text, at) : undefined);

get('/plan.schema.json', undefined, 'application/schema+json').then(known => { schema = known; }, () => { /* Without it nothing is completed. */ });

if (fresh) begin();
else load();
