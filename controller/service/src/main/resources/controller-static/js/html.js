// SPDX-License-Identifier: Apache-2.0
// HTML as text, in which everything that is put in is escaped.

/** Whether the API has sent a value. */
export const known = value => value !== undefined && value !== null;

class Markup {
  constructor(text) { this.text = text; }
  toString() { return this.text; }
}

const SPECIAL = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'};

function escaped(value) {
  if (value === undefined || value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(escaped).join('');
  return String(value).replace(/[&<>"']/g, found => SPECIAL[found]);
}

/** Tag of template literals: html`<p>${text}</p>`. Only what it made itself is put in as it is; lists are joined. */
export function html(parts, ...values) {
  return new Markup(parts.reduce((whole, part, index) => whole + escaped(values[index - 1]) + part));
}

/** Replaces the content of an element. */
export function show(element, markup) {
  element.innerHTML = escaped(markup);
}

const painted = new WeakMap();

/** Replaces the content of an element when it is another than this function put there before. */
export function showChanged(element, markup) {
  const text = escaped(markup);
  if (painted.get(element) === text) return;
  painted.set(element, text);
  element.innerHTML = text;
}

/** An element of the page. */
export const byId = id => document.getElementById(id);
