// SPDX-License-Identifier: Apache-2.0
// What can stand at a place of a plan, by the JSON Schema of plans: names of fields that are not there yet, and values. A plan is read
// line by line, so that a text with mistakes is completed, too; sections in braces are read within a line.

/** An item of a list, in a path. */
const ITEM = '-';

const KEY = /^["']?([\w.-]+)["']?\s*:(?=\s|$)/;

/** A schema node with all that it refers to, or may be. */
function variants(node, schema, depth = 0) {
  if (!node || depth > 20) return [];
  const referred = node.$ref ? variants(node.$ref.split('/').slice(1).reduce((at, name) => at && at[name], schema), schema, depth + 1) : [];
  return [node, ...referred, ...[...node.allOf || [], ...node.anyOf || [], ...node.oneOf || []].flatMap(one => variants(one, schema, depth + 1))];
}

const resolve = (schema, path) => path.reduce((nodes, step) => nodes.flatMap(node => variants(step === ITEM ? node.items : node.properties && node.properties[step], schema)), variants(schema, schema));

/** Drops what ends at a column: fields at it or right of it, and items right of it. */
function leave(stack, column) {
  while (stack.length && stack.at(-1).column >= column) stack.pop();
}

/** Enters the items that begin a line. Returns the column behind their dashes, and the rest of the line. */
function items(stack, column, rest, line) {
  let [at, left] = [column, rest];
  for (let dash = /^-(\s+|$)/.exec(left); dash; dash = /^-(\s+|$)/.exec(left)) {
    while (stack.length && (stack.at(-1).column > at || stack.at(-1).column === at && stack.at(-1).name === ITEM)) stack.pop();
    stack.push({column: at, name: ITEM, line});
    at += dash[0].length;
    left = left.slice(dash[0].length);
  }
  return [at, left];
}

/** Returns true for a text that ends inside of quotes. */
const quoted = text => (text.replace(/\\./g, '').match(/"/g) || []).length % 2 === 1 || (text.replace(/"[^"]*"/g, '').match(/'/g) || []).length % 2 === 1;

const bare = text => text.replace(/"(\\.|[^"\\])*"|'[^']*'/g, found => '_'.repeat(found.length));

/** The sections in braces and brackets that are open at the end of a text, each with where it begins. */
function open(text) {
  const stack = [];
  let from = 0;
  [...bare(text)].forEach((sign, index, signs) => {
    if ('{['.includes(sign)) {
      const name = sign === '{' || sign === '[' ? KEY.exec(signs.slice(from, index).join('').trim()) : null;
      stack.push({sign, name: name ? name[1] : undefined, from: index + 1});
      from = index + 1;
    } else if ('}]'.includes(sign)) stack.pop();
    else if (sign === ',') from = index + 1;
  });
  return {stack, segment: text.slice(from)};
}

/** Fields of the innermost section, of which a text is all that is in it until it is closed. */
function fieldsIn(text) {
  let depth = 0;
  let inside = '';
  for (const sign of bare(text)) {
    if ('}]'.includes(sign) && depth-- === 0) break;
    if (!depth) inside += sign;
    if ('{['.includes(sign)) depth++;
  }
  return inside.split(',').map(part => KEY.exec(part.trim() + ' ')?.[1]).filter(Boolean);
}

/** The place of the cursor: its path, the fields beside it, and what was written of it. Undefined inside of comments and quotes. */
function place(text, offset) {
  const lines = text.split('\n');
  const number = text.slice(0, offset).split('\n').length - 1;
  const before = text.slice(0, offset).split('\n')[number];
  if (/(^|\s)#/.test(bare(before)) || quoted(before)) return undefined;
  const stack = [];
  const fields = [];
  let here;
  lines.forEach((line, index) => {
    const mine = index === number;
    if (!mine && /^\s*(#|$)/.test(line)) return;
    const indent = mine && !line.trim() ? before.length : line.search(/\S/);
    const [column, rest] = items(stack, indent, line.slice(indent), index);
    leave(stack, column);
    const level = stack.map(one => one.name + one.line).join(' ');
    if (mine) here = {path: stack.map(one => one.name), level, written: before.slice(column), after: line.slice(before.length)};
    const key = KEY.exec(rest);
    if (!key) return;
    fields.push({name: key[1], line: index, level});
    stack.push({column, name: key[1], line: index});
  });
  const beside = fields.filter(one => one.line !== number && one.level === here.level).map(one => one.name);
  const key = KEY.exec(here.written);
  if (!key && !/^[{[]/.test(here.written)) return {path: here.path, beside, prefix: here.written, wanted: 'field'};
  const value = here.written.slice(key ? key[0].length : 0);
  const {stack: sections, segment} = open(value);
  const path = [...here.path, ...key ? [key[1]] : []];
  sections.forEach((one, index) => {
    if (one.name && index) path.push(one.name);
    else if (index) path.push(ITEM);
    if (one.sign === '[' && index === sections.length - 1) path.push(ITEM);
  });
  const inner = sections.at(-1);
  if (!inner || inner.sign === '[') return {path, beside: [], prefix: (inner ? segment : value).trimStart(), wanted: 'value'};
  const field = KEY.exec(segment.trimStart());
  if (field) return {path: [...path, field[1]], beside: [], prefix: segment.trimStart().slice(field[0].length).trimStart(), wanted: 'value'};
  return {path, beside: fieldsIn(value.slice(inner.from) + here.after), prefix: segment.trimStart(), wanted: 'field'};
}

/** Returns the words that stand beside a field's name. */
function about(nodes) {
  const first = name => nodes.map(node => node[name]).find(value => value !== undefined);
  const examples = first('examples');
  const choices = first('enum');
  const usual = first('default');
  return [first('description'), choices && choices.filter(one => typeof one === 'string').join(' | '), usual !== undefined && 'default ' + usual, !choices && examples && 'as ' + JSON.stringify(examples[0]).replace(/^"|"$/g, '')]
    .filter(Boolean).join('; ');
}

const values = nodes => [...new Set(nodes.flatMap(node => [...node.enum || [], ...node.const !== undefined ? [node.const] : [], ...node.default !== undefined ? [node.default] : [], ...node.examples || []])
  .filter(value => typeof value !== 'object').map(String))];

/**
 * Completions at a place of a text, in the order of the schema: from is where what is typed of them begins, and each has its text, what
 * is said of it, and what is put in. Undefined when there is none.
 */
export function completions(schema, text, offset) {
  const at = place(text, offset);
  if (!at || !/^[\w.%-]*$/.test(at.prefix)) return undefined;
  const nodes = resolve(schema, at.path);
  const names = [...new Set(nodes.flatMap(node => Object.keys(node.properties || {})))];
  const found = at.wanted === 'field'
    ? names.filter(name => !at.beside.includes(name)).map(name => ({text: name, about: about(resolve(schema, [...at.path, name])), insert: name + ': '}))
    : values(nodes).map(value => ({text: value, about: '', insert: value}));
  const fitting = found.filter(one => one.text.startsWith(at.prefix) && one.text !== at.prefix);
  return fitting.length ? {from: offset - at.prefix.length, items: fitting} : undefined;
}
